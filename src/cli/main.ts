#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: a command starts in three quarters of the time.
enableCompileCache();
const { runCommand } = await import('./program.ts');
process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
