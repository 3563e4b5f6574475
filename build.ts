import { execFileSync } from 'node:child_process';
import { chmod, cp, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { build } from 'vite';

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
  'generated/pdfjs',
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

/**
 * The libraries that are bundled into the modules that import them: large packages of which the
 * gateway uses a small part, and those that install others that it does not use. They are
 * development dependencies. Each entry has all modules that import its libraries.
 */
const BUNDLED = [
  { libraries: ['gpt-tokenizer'], modules: ['adapters/extraction/count-tokens'] },
  { libraries: ['officeparser', '@xmldom/xmldom'], modules: ['adapters/extraction/parse-office'] },
  { libraries: ['pdfjs-dist'], modules: ['adapters/extraction/pdf/open-pdf'] },
  { libraries: ['@langchain/community'], modules: ['adapters/vectors/dataset-vector-store'] },
  {
    libraries: ['@prisma/client', '@prisma/client-runtime-utils'],
    modules: [
      'generated/prisma/client',
      'generated/prisma/internal/class',
      'generated/prisma/internal/prismaNamespace',
    ],
  },
];

await rm('dist', { recursive: true, force: true });
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' });
await Promise.all(BUNDLED.map(bundle));
for (const path of LOADED) await cp(`src/${path}`, `dist/${path}`, { recursive: true });
await chmod('dist/cli/main.js', 0o755);

/** Bundles libraries into modules of `dist`, in place. Everything else stays an import. */
async function bundle({ libraries, modules }: (typeof BUNDLED)[number]): Promise<void> {
  const paths = modules.map((module) => resolve('dist', `${module}.js`));
  const [first = ''] = modules;
  const outDir = resolve('dist', dirname(first));
  const name = basename(first);

  const isLibrary = (id: string) => libraries.some((name) => `${id}/`.startsWith(`${name}/`));

  // Relative imports within the libraries and between the modules are bundled, others are not.
  function isExternal(id: string, importer = ''): boolean {
    if (isAbsolute(id)) return false;
    if (!id.startsWith('.')) return !isLibrary(id);
    return paths.includes(importer) && !paths.includes(resolve(dirname(importer), id));
  }

  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: false,
      license: { fileName: `${name}.licenses.md` },
      rolldownOptions: {
        input: Object.fromEntries(paths.map((path) => [relative(outDir, path), path])),
        output: { entryFileNames: '[name]', chunkFileNames: `${name}.[name].js` },
        external: isExternal,
      },
    },
  });
}
