// A client that offers its folder as a root, against a server that was told of
// none and stands in a folder that it must refuse.
//
//   node roots.mjs FOLDER MODE TREE PROGRAM ARGUMENT...     MODE: legacy or modern
//
// FOLDER holds node_modules/@modelcontextprotocol/client; TREE the line "needle
// in a haystack".
import assert from 'node:assert';
import { pathToFileURL } from 'node:url';

const [folder, mode, tree, program, ...args] = process.argv.slice(2);
const base = pathToFileURL(`${folder}/node_modules/@modelcontextprotocol/client/dist/`).href;
const { Client } = await import(`${base}index.mjs`);
const { StdioClientTransport } = await import(`${base}stdio.mjs`);

const client = new Client(
  { name: 'test', version: '1' },
  {
    capabilities: { roots: { listChanged: true } },
    versionNegotiation: { mode: mode === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  },
);
let asked = 0;
client.setRequestHandler('roots/list', () => {
  ++asked;
  return { roots: [{ uri: pathToFileURL(tree).href, name: 'tree' }] };
});
await client.connect(new StdioClientTransport({ command: program, args, cwd: '/' }));
const answer = await client.callTool({ name: 'Search', arguments: { pattern: 'needle' } });
await client.close();
assert(!answer.isError, JSON.stringify(answer));
assert.match(answer.content[0].text, /needle in a haystack/);
console.log(`asked ${asked} times`);
