import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundle } from './bundle.ts';
import { pageOf } from './page-of.ts';

/*
 * Builds the pages for browsers into src/generated: GraphiQL and the playground as one file each, which
 * works without internet, and the chat as a script. They are stored compressed, as they are sent.
 */

const GENERATED = new URL('../generated/', import.meta.url);

const [graphiql, playground, chat] = await Promise.all([
  bundle(new URL('../graphiql/main.tsx', import.meta.url), 'react'),
  bundle(new URL('../playground/main.tsx', import.meta.url), 'preact'),
  bundle(new URL('../playground/chat-script.ts', import.meta.url), 'preact'),
]);
await mkdir(GENERATED, { recursive: true });
await Promise.all([
  compress('graphiql.html', pageOf({ ...graphiql, title: 'filequery: GraphiQL' })),
  compress('playground.html', pageOf({ ...playground, title: 'filequery', isStrict: true })),
  compress('filequery-chat.js', chat.script),
  // As it is, for bundlers.
  keep('filequery-chat.js', chat.script),
  keep('graphiql-licenses.md', graphiql.licenses),
  keep('playground-licenses.md', playground.licenses),
]);

async function compress(name: string, text: string): Promise<void> {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  await keep(`${name}.br`, await promisify(brotliCompress)(text, { params: quality }));
  await keep(`${name}.gz`, await promisify(gzip)(text, { level: 9 }));
}

function keep(name: string, content: Buffer | string): Promise<void> {
  if (content.length === 0) throw new Error(`Vite has built no ${name}`);
  return writeFile(new URL(name, GENERATED), content);
}
