import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

/*
 * Assembles the kernels. `npm run kernel` rewrites their .wasm files; with `--check`, it fails if
 * one is out of date.
 */

const { parseWat } = await wabt();
for (const kernel of ['compare', 'encode']) {
  const binary = new URL(`${kernel}.wasm`, import.meta.url);
  const text = await readFile(new URL(`${kernel}.wat`, import.meta.url), 'utf8');
  const module = parseWat(`${kernel}.wat`, text, { relaxed_simd: true });
  const assembled = Buffer.from(module.toBinary({}).buffer);
  if (!process.argv.includes('--check')) await writeFile(binary, assembled);
  else if (!assembled.equals(await readFile(binary))) {
    throw new Error(`${kernel}.wasm is not what ${kernel}.wat says: npm run kernel`);
  }
}
