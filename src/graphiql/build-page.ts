import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

/*
 * Builds GraphiQL into src/generated: one page that contains its scripts, so that it works without
 * internet, compressed as it is sent.
 */

const GENERATED = new URL('../generated/', import.meta.url);

const bundle = await build({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'error',
  build: {
    write: false,
    license: true,
    rolldownOptions: {
      input: fileURLToPath(new URL('main.tsx', import.meta.url)),
      output: { codeSplitting: false },
    },
  },
});
if (!('output' in bundle)) throw new Error('Vite has built no page');
const texts = bundle.output.map((file) => ({
  name: file.fileName,
  text: file.type === 'chunk' ? file.code : String(file.source),
}));
const page = Buffer.from(pageOf(textOf('.js'), textOf('.css')));
await mkdir(GENERATED, { recursive: true });
const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
await keep('graphiql.html.br', await promisify(brotliCompress)(page, { params: quality }));
await keep('graphiql.html.gz', await promisify(gzip)(page, { level: 9 }));
await keep('graphiql-licenses.md', textOf('license.md'));

function textOf(ending: string): string {
  const file = texts.find(({ name }) => name.endsWith(ending));
  if (!file) throw new Error(`Vite has built no ${ending}`);
  return file.text;
}

function pageOf(script: string, style: string): string {
  const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='%2323314d'/><text x='8' y='12' font-size='11' font-family='sans-serif' font-weight='bold' text-anchor='middle' fill='white'>fq</text></svg>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>filequery</title>
<link rel="icon" href="data:image/svg+xml,${icon.replaceAll('<', '%3C').replaceAll('>', '%3E')}">
<style>${style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="root"></div>
<noscript>GraphiQL needs JavaScript.</noscript>
<script type="module">${script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script>
</body>
</html>
`;
}

function keep(name: string, content: Buffer | string): Promise<void> {
  return writeFile(new URL(name, GENERATED), content);
}
