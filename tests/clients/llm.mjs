// A language model that always does the same: at the first turn it calls the
// search tool, at the second it says DONE (LLM_CALL and LLM_SAYS in the
// environment change both). Speaks what Claude Code (Anthropic messages), Codex
// (OpenAI responses), opencode (OpenAI chat completions) and Gemini CLI speak, and
// logs every request, so that a test can see what a model would see.
//
//   node llm.mjs PORT LOG
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, log] = process.argv.slice(2);
const input = process.env.LLM_CALL ?? JSON.stringify({ pattern: 'needle' });
const says = process.env.LLM_SAYS ?? 'DONE';

const isSearch = (name) => /(^|_)Search$/.test(name ?? '');

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

function chat(request, response) {
  const tool = (request.tools ?? []).find((t) => isSearch(t.function?.name));
  const answered = request.messages.some((m) => m.role === 'tool');
  const chunk = (delta, finish = null) => ({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: request.model, choices: [{ index: 0, delta, finish_reason: finish }] });
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: tool?.function.name, arguments: input } };
  stream(response, tool && !answered
    ? [['', chunk({ role: 'assistant', tool_calls: [call] })], ['', chunk({}, 'tool_calls')]]
    : [['', chunk({ role: 'assistant', content: says })], ['', chunk({}, 'stop')]]);
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
    if (request.url.includes('/responses')) return responses(json, response);
    if (request.url.includes('/chat/completions')) return chat(json, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], input_tokens: 1 }));
  });
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
