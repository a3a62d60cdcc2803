// A real MCP client against the server: connects, lists, calls, fails, cancels
// and closes, and says what went wrong.
//
//   node client.mjs FOLDER MODE PROGRAM ARGUMENT...
//
// FOLDER holds node_modules with @modelcontextprotocol/sdk (MODE "sdk", any
// 1.x) or @modelcontextprotocol/client (MODE "legacy", "auto" or "modern").
// The searched tree must hold a line "needle in a haystack".
import assert from 'node:assert';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, mode, program, ...args] = process.argv.slice(2);
const structured = args.includes('--structured');

async function load() {
  const base = `${folder}/node_modules/@modelcontextprotocol`;
  const use = (path) => import(pathToFileURL(path).href);
  if (mode !== 'sdk') {
    return [await use(`${base}/client/dist/index.mjs`), await use(`${base}/client/dist/stdio.mjs`)];
  }
  const dist = existsSync(`${base}/sdk/dist/esm`) ? `${base}/sdk/dist/esm` : `${base}/sdk/dist`;
  return [await use(`${dist}/client/index.js`), await use(`${dist}/client/stdio.js`)];
}

const [{ Client }, { StdioClientTransport }] = await load();
const modes = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } };
const options = { capabilities: {} };
if (mode !== 'sdk') options.versionNegotiation = { mode: modes[mode] };
const client = new Client({ name: 'test', version: '1' }, options);
const transport = new StdioClientTransport({ command: program, args });
const start = performance.now();
await client.connect(transport);
const connected = performance.now() - start;

const { tools } = await client.listTools();
const search = tools.find((tool) => tool.name === 'Search');
assert(search, 'Search is listed');
assert(search.description.length <= 1024, 'the description is short');
assert.equal('outputSchema' in search, structured);

const call = (more, ...rest) => client.callTool({ name: 'Search', arguments: { pattern: 'needle', ...more } }, ...rest);
const found = await call({});
assert(!found.isError);
assert.match(found.content[0].text, /needle in a haystack/);
if (structured) assert.equal(found.structuredContent.count, 1);

const bad = await call({ max_results: 'many' });
assert(bad.isError, 'a bad argument is a tool error');
assert.match(bad.content[0].text, /max_results.*at least 1/s);

await assert.rejects(client.callTool({ name: 'nosuch', arguments: {} }), (error) => error.code === -32602);

const many = await Promise.all(Array.from({ length: 50 }, () => call({})));
assert(many.every((answer) => /needle/.test(answer.content[0].text)));

const stop = new AbortController();
const cancelled = mode === 'sdk' ? call({}, undefined, { signal: stop.signal }) : call({}, { signal: stop.signal });
stop.abort();
await assert.rejects(cancelled);
assert.match((await call({})).content[0].text, /needle/, 'it goes on after a cancel');

const pid = transport.pid ?? transport._process?.pid;
await client.close();
for (let i = 0; pid && i < 300; ++i) {
  try {
    process.kill(pid, 0);
  } catch {
    break;
  }
  await new Promise((done) => setTimeout(done, 10));
  assert(i < 299, 'the server ends when the client closes');
}
console.log(`connected in ${connected.toFixed(0)} ms`);
