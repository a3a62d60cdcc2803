// Puts a stdio server behind HTTP, message for message, for the conformance
// suite. It adds nothing of its own: an SDK in between could hide our mistakes.
//
//   node bridge.mjs PORT PROGRAM ARGUMENT...     PORT 0: any; says "ready PORT"
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [port, program, ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map(); // by id as JSON: the response to end

const event = (line) => `event: message\ndata: ${line}\n\n`;

createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  const response = waiting.get(JSON.stringify(message.id));
  if (response && !message.method) {
    waiting.delete(JSON.stringify(message.id));
    if (response.headersSent) return response.end(event(line));
    response.writeHead(message.error ? statusOf(message.error.code) : 200, { 'content-type': 'application/json' });
    return response.end(line);
  }
  const id = message.params?._meta?.['io.modelcontextprotocol/subscriptionId'];
  const stream = waiting.get(JSON.stringify(id));
  if (!stream) return;
  if (!stream.headersSent) stream.writeHead(200, { 'content-type': 'text/event-stream' });
  stream.write(event(line));
});

// As the HTTP transport of the protocol has it.
function statusOf(code) {
  if (code === -32601) return 404;
  return code === -32603 ? 500 : 400;
}

const http = createServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    let message;
    try {
      message = JSON.parse(body);
    } catch {
      return response.writeHead(400).end();
    }
    server.stdin.write(JSON.stringify(message) + '\n');
    if (message.id === undefined || !message.method) return response.writeHead(202).end();
    waiting.set(JSON.stringify(message.id), response);
  });
}).listen(Number(port), '127.0.0.1', () => console.log(`ready ${http.address().port}`));

process.on('SIGTERM', () => {
  server.kill();
  process.exit(0);
});
