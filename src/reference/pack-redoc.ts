import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { REDOC } from './redoc.ts';

/* Part of `npm run generate`. */

const bundle = fileURLToPath(import.meta.resolve('redoc/bundles/redoc.standalone.js'));
const script = await readFile(bundle, 'utf8');
// The only thing that the page would load from elsewhere.
const offline = script.replaceAll(/"https:\/\/cdn\.redoc\.ly\/[^"]*"/g, '"data:,"');
await writeFile(REDOC, gzipSync(offline, { level: 9 }));
