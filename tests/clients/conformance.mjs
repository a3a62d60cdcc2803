// The whole official conformance suite against the server, for one version of
// the protocol. Every check that does not pass must be listed, with a reason, in
// conformance-expected.txt; a listed one that passes, or is not run any more,
// fails as well, so that the list stays true.
//
//   node conformance.mjs FOLDER VERSION PROGRAM ARGUMENT...
//
// FOLDER holds node_modules with node and @modelcontextprotocol/conformance.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [folder, version, ...server] = process.argv.slice(2);
const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const node = join(folder, 'node_modules/node/bin/node');

// "both scenario Check" under its reason; "least VERSION COUNT" must pass.
function readExpected() {
  const expected = new Set();
  let least = 0;
  for (const line of readFileSync(join(here, 'conformance-expected.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [when, scenario, check] = line.split(' ');
    if (when === 'least') {
      if (scenario === version) least = Number(check);
    } else if (when === 'both' || when === version) {
      expected.add(`${scenario} ${check}`);
    }
  }
  return { expected, least };
}

async function runSuite(results) {
  const bridge = spawn(node, [join(here, 'bridge.mjs'), '0', ...server], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [ready] = await once(createInterface({ input: bridge.stdout }), 'line');
  const url = `http://127.0.0.1:${ready.split(' ')[1]}/mcp`;
  const suite = [join(folder, 'node_modules/.bin/conformance'), 'server', '--url', url, '--suite', 'all'];
  const ended = spawnSync(node, [...suite, '--spec-version', version, '-o', results], { encoding: 'utf8', timeout: 300_000 });
  bridge.kill();
  if (ended.error) throw ended.error;
}

// [{key: "scenario Check", status, message}]
function readChecks(results) {
  return readdirSync(results).flatMap((name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
    const checks = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'));
    return checks.map((c) => ({ key: `${scenario} ${c.name}`, status: c.status, message: c.errorMessage ?? '' }));
  });
}

const results = mkdtempSync(join(tmpdir(), 'conformance-'));
try {
  await runSuite(results);
  const { expected, least } = readExpected();
  const checks = readChecks(results);
  const bad = checks.filter((c) => c.status === 'FAILURE' || c.status === 'WARNING');
  const passed = checks.filter((c) => c.status === 'SUCCESS').length;
  const faults = bad.filter((c) => !expected.has(c.key)).map((c) => `not expected: ${c.key}: ${c.message}`);
  const failing = new Set(bad.map((c) => c.key));
  for (const key of expected) if (!failing.has(key)) faults.push(`listed, but does not fail: ${key}`);
  if (passed < least) faults.push(`only ${passed} of ${least} checks passed`);
  if (faults.length > 0) {
    console.log(faults.join('\n'));
    process.exitCode = 1;
  }
  console.log(`${passed} checks pass, ${bad.length} cannot, as listed`);
} finally {
  rmSync(results, { recursive: true });
}
