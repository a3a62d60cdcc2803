// How many tokens an answer costs a model, by its form.
//
//   node tokens.mjs FOLDER PROGRAM TREE PATTERN     FOLDER holds node_modules/gpt-tokenizer
//
// Prints the tables of docs/mcp.md: one search of 200 hits, as text within the
// default budget, as text without one, as structured content; and the same
// search by other programs, as an agent would run them in a shell, all hits. The tokenizer is o200k_base, of OpenAI; others differ by some
// percent, the ratios hardly.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const [folder, program, tree, pattern] = process.argv.slice(2);
const { encode } = await import(pathToFileURL(`${folder}/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js`).href);

function call(...options) {
  const json = JSON.stringify({ pattern, max_results: 200 });
  return execFileSync(program, ['call', 'Search', json, '--root', tree, '--backend', 'native', ...options], { encoding: 'utf8' });
}

const json = call().trim();
const answer = JSON.parse(json);
const lines = answer.matches.map(({ data: d }) => `${d.path.text}:${d.line_number}:${d.column}:${d.lines.text}`);
const rows = {
  'text, `content_max_bytes = 10000` (the default)': answer.content,
  'text, no lines shortened': JSON.parse(call('--set', 'tools.search.content_max_bytes=1000000')).content,
  'one line each, `path:line:column:text`': lines.join('\n'),
  'structured content (JSON, without its `content`)': JSON.stringify({ ...answer, content: undefined }),
};
function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', cwd: tree, maxBuffer: 1 << 28 });
}

const others = {
  'rg -n': run('rg', '-n', pattern, '.'),
  'rg --json': run('rg', '--json', pattern, '.'),
  'ugrep -rn': run('ugrep', '-rn', pattern, '.'),
  'git grep -n': run('git', 'grep', '-n', pattern),
};

function print(head, table) {
  console.log(`\n| ${head} | bytes | tokens |\n| --- | ---: | ---: |`);
  for (const [name, text] of Object.entries(table)) {
    console.log(`| ${name} | ${Buffer.byteLength(text)} | ${encode(text, { disallowedSpecial: new Set() }).length} |`);
  }
}
print('form', rows);
print('program', others);
