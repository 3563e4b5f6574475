import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from 'vitest';

it('the .wasm files are what the .wat files say', async () => {
  const script = new URL('../../../src/adapters/vectors/codes/assemble.ts', import.meta.url);
  await promisify(execFile)(process.execPath, [fileURLToPath(script), '--check']);
});
