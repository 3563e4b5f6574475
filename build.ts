import { execFileSync } from 'node:child_process';
import { chmod, cp, rm } from 'node:fs/promises';

/*
 * Builds `dist`: the sources as JavaScript, and beside them the files that they load. `dist` has
 * the layout of `src` and is in the same place, so every relative URL holds in both: of files in
 * `dist`, and of `prisma`, `schema` and `package.json`.
 */

/** The files below `src` that are loaded and are not modules. */
const LOADED = [
  'adapters/vectors/codes/compare.wasm',
  'adapters/vectors/codes/encode.wasm',
  'demo/documents',
  'generated/empty-database.tar.gz',
  'generated/redoc-licenses.txt',
  'generated/redoc.js.gz',
  'generated/filequery-chat.js',
  'generated/filequery-chat.js.br',
  'generated/filequery-chat.js.gz',
  'generated/graphiql-licenses.md',
  'generated/graphiql.html.br',
  'generated/graphiql.html.gz',
  'generated/playground-licenses.md',
  'generated/playground.html.br',
  'generated/playground.html.gz',
];

await rm('dist', { recursive: true, force: true });
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' });
for (const path of LOADED) await cp(`src/${path}`, `dist/${path}`, { recursive: true });
await chmod('dist/cli/main.js', 0o755);
