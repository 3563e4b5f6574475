import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from 'vitest';

it('compare.wasm is what compare.wat says', async () => {
  const script = new URL('../../../src/adapters/vectors/codes/assemble.ts', import.meta.url);
  await promisify(execFile)(process.execPath, [fileURLToPath(script), '--check']);
});
