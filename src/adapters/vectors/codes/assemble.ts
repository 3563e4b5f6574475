import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

/*
 * Assembles compare.wat. `npm run kernel` rewrites compare.wasm; with `--check`, it fails if
 * compare.wasm is out of date.
 */

const text = new URL('compare.wat', import.meta.url);
const binary = new URL('compare.wasm', import.meta.url);

const { parseWat } = await wabt();
const module = parseWat('compare.wat', await readFile(text, 'utf8'), { relaxed_simd: true });
const assembled = Buffer.from(module.toBinary({}).buffer);
if (!process.argv.includes('--check')) await writeFile(binary, assembled);
else if (!assembled.equals(await readFile(binary))) {
  throw new Error('compare.wasm is not what compare.wat says: npm run kernel');
}
