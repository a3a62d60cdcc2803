#!/usr/bin/env node
// Runs the program of the package for this system, which npm chose among the
// optional dependencies. Input and output are its own: nothing is copied here.
'use strict';

const { spawn } = require('node:child_process');
const os = require('node:os');

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'forge-search.exe' : 'forge-search';

function findProgram() {
  try {
    return require.resolve(`@forge-search/${platform}/bin/${name}`);
  } catch {
    console.error(
      `forge-search: there is no package @forge-search/${platform}. Either this system is not ` +
        'supported, or npm left optional dependencies out (--omit=optional).');
    process.exit(2);
  }
}

const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
child.on('error', (error) => {
  console.error(`forge-search: ${error.message}`);
  process.exit(2);
});
// A terminal sends Ctrl-C to both. The child decides when to end; we follow.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
