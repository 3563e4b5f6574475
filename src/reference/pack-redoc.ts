import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CHOOSE_THEME } from './dark-theme.ts';
import { REDOC } from './redoc.ts';

/* Part of `npm run generate`. */

const bundle = fileURLToPath(import.meta.resolve('redoc/bundles/redoc.standalone.js'));
const script = await readFile(bundle, 'utf8');
// The only thing that the page would load from elsewhere.
const offline = script.replaceAll(/"https:\/\/cdn\.redoc\.ly\/[^"]*"/g, '"data:,"');
await writeFile(REDOC, gzipSync(CHOOSE_THEME + offline, { level: 9 }));

// The script requires that its licence and those of its parts are included.
const licenses = await Promise.all(
  [new URL('../LICENSE', pathToFileURL(bundle)), `${bundle}.LICENSE.txt`].map((path) =>
    readFile(path, 'utf8'),
  ),
);
await writeFile(new URL('redoc-licenses.txt', REDOC), licenses.join('\n'));
