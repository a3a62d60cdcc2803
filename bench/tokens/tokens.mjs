// What an answer costs a model, and whether it shows what the model looks for.
//
//   node tokens.mjs PACKAGES PROGRAM TREES QUESTIONS     see bench/tokens/run
//
// Each question is asked as an agent asks it: of our server, of ripgrep in a shell,
// of a tool like Grep of Claude Code, and of `forge-search call`, which answers in
// JSON. Prints the tables of docs/mcp.md. The tokenizer is o200k_base, of OpenAI;
// others differ by some percent, the ratios hardly.
//
// A target is visible if the answer has its path and line number, or its path and
// its text. "with its line": the text as well.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [packages, program, trees, file] = process.argv.slice(2);
const { encode } = await import(pathToFileURL(`${packages}/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js`).href);
const tokens = (text) => encode(text, { disallowedSpecial: new Set() }).length;

// A session with our server on one tree.
class Session {
  constructor(tree) {
    this.server = spawn(program, ['--server=off', 'mcp', '--root', tree], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.server.stdout })[Symbol.asyncIterator]();
    this.id = 0;
  }
  async ask(method, params) {
    this.server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++this.id, method, params }) + '\n');
    return JSON.parse((await this.lines.next()).value).result;
  }
  async start() {
    await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    return this.ask('tools/list', {});
  }
  close() { this.server.stdin.end(); }
}

function ripgrep(tree, call, ...more) {
  const args = ['-n', '--no-heading', '-S', '--sort', 'path', ...more];
  if (call.word_regexp) args.push('-w');
  for (const glob of call.include_glob ?? []) args.push('-g', glob);
  args.push('-e', call.pattern, call.path ?? '.');
  try {
    return execFileSync('rg', args, { encoding: 'utf8', cwd: tree, maxBuffer: 1 << 28 }).replaceAll(/^\.\//gm, '');
  } catch (error) {
    if (error.status === 1) return '';
    throw error;
  }
}

// Grep of Claude Code: 250 lines, of 500 columns each, 20,000 characters in all.
function grepStyle(tree, call) {
  const lines = ripgrep(tree, call, '--max-columns', '500').split('\n').filter(Boolean);
  const shown = lines.slice(0, 250).join('\n').slice(0, 20000);
  return lines.length > 250 ? `${shown}\n[Showing results with pagination = limit: 250]` : shown;
}

const plain = (text) => text.trim().split(/\s+/).join(' ');

// The line number of the target; the question is out of date if it is not there.
function numberOf(tree, path, line) {
  const at = readFileSync(`${tree}/${path}`, 'utf8').split('\n').findIndex((text) => plain(text) === line);
  if (at < 0) throw new Error(`out of date: ${path} has no line "${line}"`);
  return at + 1;
}

// Long lines are shortened around the match, so a part of the target is enough.
function lineIsIn(text, prefix, line) {
  const part = line.slice(0, 60);
  return text.split('\n').some((shown) => shown.startsWith(prefix) && (plain(shown).includes(part) || shown.includes('…')));
}

const visibleIn = {
  ours(text, path, number, line) {
    const lines = text.split('\n');
    const at = lines.indexOf(path);
    if (at >= 0) {
      const end = lines.indexOf('', at);
      const block = lines.slice(at + 1, end).join('\n');
      if (lineIsIn(block, `${number}:`, line)) return 2;
    }
    const places = lines.filter((shown) => shown.startsWith(`${path}: line`)).join(', ');
    return new RegExp(`[ ,]${number}(,|$)`).test(places) ? 1 : 0;
  },
  flat(text, path, number, line) { return lineIsIn(text, `${path}:${number}:`, line) ? 2 : 0; },
  json(text, path, number) {
    return JSON.parse(text).matches.some(({ data }) => data.path.text === path && data.line_number === number) ? 2 : 0;
  },
};

const questions = readFileSync(file, 'utf8').split('\n').filter((row) => row && !row.startsWith('#'))
  .map((row) => row.split('\t'));
const forms = ['ours', 'Grep-style', 'JSON', 'rg -n'];
const sum = {};
let schema = 0;
const unseen = [];
for (const tree of new Set(questions.map(([name]) => name))) {
  const root = `${trees}/${tree}`;
  const session = new Session(root);
  schema = tokens(JSON.stringify((await session.start()).tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))));
  for (const [, question, json, path, line] of questions.filter(([name]) => name === tree)) {
    const call = JSON.parse(json);
    const number = numberOf(root, path, line);
    const text = (await session.ask('tools/call', { name: 'Search', arguments: call })).content[0].text;
    const response = execFileSync(program, ['call', 'Search', json, '--root', root, '--backend', 'native'],
      { encoding: 'utf8', maxBuffer: 1 << 28 });
    const answers = {
      ours: [text, visibleIn.ours],
      'Grep-style': [grepStyle(root, call), visibleIn.flat],
      JSON: [response, visibleIn.json],
      'rg -n': [ripgrep(root, call), visibleIn.flat],
    };
    for (const [form, [answer, visible]] of Object.entries(answers)) {
      const row = ((sum[tree] ??= {})[form] ??= { tokens: 0, visible: 0, withLine: 0, questions: 0 });
      const seen = visible(answer, path, number, line);
      row.tokens += tokens(answer);
      row.questions += 1;
      if (seen > 0) row.visible += 1;
      if (seen > 1) row.withLine += 1;
      if (seen === 0) unseen.push(`${form}: ${question} (${path}:${number})`);
    }
  }
  session.close();
}

console.log('| tree | form | tokens | of Grep-style | targets visible | with their line |');
console.log('| --- | --- | ---: | ---: | ---: | ---: |');
const names = Object.keys(sum);
const all = Object.fromEntries(forms.map((form) => [form, names.map((name) => sum[name][form]).reduce((a, b) => ({
  tokens: a.tokens + b.tokens, visible: a.visible + b.visible, withLine: a.withLine + b.withLine, questions: a.questions + b.questions,
}))]));
for (const [name, rows] of [...Object.entries(sum), ['both', all]]) {
  for (const form of forms) {
    const row = rows[form];
    const part = Math.round((100 * row.tokens) / rows['Grep-style'].tokens);
    console.log(`| ${name} | ${form} | ${row.tokens} | ${part} % | ${row.visible} of ${row.questions} | ${row.withLine} |`);
  }
}
console.log(`\nThe description of Search and its fields: ${schema} tokens.`);
if (unseen.length > 0) console.error(`\nNot visible:\n${unseen.join('\n')}`);
const { ours, 'Grep-style': grep } = all;
if (ours.visible < ours.questions || ours.tokens * 2 > grep.tokens) {
  console.error('\nThe goal is missed: half of the tokens of Grep-style, with every target visible.');
  process.exit(1);
}
