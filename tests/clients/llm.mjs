// A language model that always does the same: at the first turn it calls the
// search tool, at the second it says DONE (LLM_CALL and LLM_SAYS in the
// environment change both). Speaks what Claude Code (Anthropic messages), Codex
// (OpenAI responses), Gemini CLI, and all others (OpenAI chat completions) speak, and
// logs every request, so that a test can see what a model would see.
//
//   node llm.mjs PORT LOG
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, log] = process.argv.slice(2);
const input = process.env.LLM_CALL ?? JSON.stringify({ pattern: 'needle' });
const says = process.env.LLM_SAYS ?? 'DONE';

// Search, whatever stands before it. Continue has a tool of that name itself, so there
// the test looks for ours alone (LLM_TOOL).
const wanted = new RegExp(process.env.LLM_TOOL ?? '(^|[_-])Search$');
const isSearch = (name) => wanted.test(name ?? '');

function stream(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) response.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  response.end();
}

function anthropic(request, response) {
  const tool = (request.tools ?? []).find((t) => isSearch(t.name));
  const answered = JSON.stringify(request.messages).includes('tool_result');
  const block = tool && !answered
    ? { type: 'tool_use', id: 'toolu_1', name: tool.name, input: {} }
    : { type: 'text', text: '' };
  const delta = block.type === 'tool_use'
    ? { type: 'input_json_delta', partial_json: input }
    : { type: 'text_delta', text: says };
  const reason = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: request.model, content: [], stop_reason: null, stop_sequence: null, usage };
  if (!request.stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const content = [block.type === 'tool_use' ? { ...block, input: JSON.parse(input) } : { type: 'text', text: says }];
    return response.end(JSON.stringify({ ...message, content, stop_reason: reason }));
  }
  stream(response, [
    ['message_start', { type: 'message_start', message }],
    ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }],
    ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    ['message_delta', { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage }],
    ['message_stop', { type: 'message_stop' }],
  ]);
}

// Codex puts MCP tools into a namespace.
function findTool(tools) {
  for (const tool of tools ?? []) {
    if (tool.tools) {
      const inner = tool.tools.find((t) => isSearch(t.name));
      if (inner) return { name: inner.name, namespace: tool.name };
    }
    if (isSearch(tool.name)) return { name: tool.name };
  }
  return undefined;
}

function responses(request, response) {
  const tool = findTool(request.tools);
  const answered = JSON.stringify(request.input).includes('function_call_output');
  const item = tool && !answered
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', arguments: input, ...tool }
    : { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: says }] };
  const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
  stream(response, [
    ['response.created', { type: 'response.created', response: { id: 'r1' } }],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
    ['response.completed', { type: 'response.completed', response: { id: 'r1', usage } }],
  ]);
}

// Qwen Code hides MCP tools: one looks a tool up by its name (tool_search), and calls it
// through another (tool_call).
function hiddenStep(request, answers) {
  const has = (name) => (request.tools ?? []).some((t) => t.function?.name === name);
  if (!has('tool_search') || !has('tool_call') || answers > 1) return undefined;
  const name = JSON.stringify(request.messages).match(/mcp__[\w-]*__\w*Search/)?.[0] ?? 'mcp__forge-search__Search';
  return answers === 0
    ? { name: 'tool_search', arguments: JSON.stringify({ query: `select:${name}` }) }
    : { name: 'tool_call', arguments: JSON.stringify({ name, arguments: JSON.parse(input) }) };
}

function chat(request, response) {
  const tool = (request.tools ?? []).find((t) => isSearch(t.function?.name));
  const answers = request.messages.filter((m) => m.role === 'tool').length;
  const step = tool ? answers === 0 && { name: tool.function.name, arguments: input } : hiddenStep(request, answers);
  const base = { id: 'c1', created: 1, model: request.model };
  const call = { index: 0, id: `call_${answers}`, type: 'function', function: step };
  if (!request.stream) {
    const message = step ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: says };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: step ? 'tool_calls' : 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }));
  }
  const chunk = (delta, finish = null) => ({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
  stream(response, step
    ? [['', chunk({ role: 'assistant', tool_calls: [call] })], ['', chunk({}, 'tool_calls')]]
    : [['', chunk({ role: 'assistant', content: says })], ['', chunk({}, 'stop')]]);
}

// Before the first turn, Gemini CLI's router asks which model should take it, and
// wants the answer as a JSON document in one piece (`:generateContent`).
function geminiRouter(request, response) {
  const text = JSON.stringify({ reasoning: 'always', model_choice: 'flash', complexity_score: 1, complexity_reasoning: 'always' });
  const candidates = [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }));
}

function gemini(request, response) {
  const tool = (request.tools ?? []).flatMap((t) => t.functionDeclarations ?? []).find((t) => isSearch(t.name));
  const answered = JSON.stringify(request.contents).includes('functionResponse');
  const part = tool && !answered ? { functionCall: { name: tool.name, args: JSON.parse(input) } } : { text: says };
  const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }];
  stream(response, [['', { candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }]]);
}

createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    let json = {};
    try {
      json = JSON.parse(body);
    } catch {
      // a health check
    }
    appendFileSync(log, JSON.stringify({ url: request.url, body: json }) + '\n');
    if (request.url.includes('/messages') && !request.url.includes('count_tokens')) return anthropic(json, response);
    if (request.url.includes(':streamGenerateContent')) return gemini(json, response);
    if (request.url.includes(':generateContent')) return geminiRouter(json, response);
    if (request.url.includes('/responses')) return responses(json, response);
    if (request.url.includes('/chat/completions')) return chat(json, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], input_tokens: 1 }));
  });
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
