import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { memoize } from '../core/memoize.ts';

const BROTLI = new URL('../generated/graphiql.html.br', import.meta.url);
const GZIP = new URL('../generated/graphiql.html.gz', import.meta.url);

interface Content {
  body: Buffer<ArrayBuffer>;
  etag: string;
}

/** Answers browsers with GraphiQL, compressed as they accept it; each form is read when first needed. */
export function createGraphiqlPage(): (request: Request) => Promise<Response> {
  const contents = {
    br: memoize(async () => contentOf(await readFile(BROTLI))),
    gzip: memoize(async () => contentOf(await readFile(GZIP))),
    identity: memoize(async () => contentOf(await promisify(gunzip)(await readFile(GZIP)))),
  };
  return async ({ headers: asked }) => {
    const encoding = chooseEncoding(asked.get('accept-encoding') ?? '');
    const { body, etag } = await contents[encoding]();
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      // Asked for each time, and sent when it has changed.
      'cache-control': 'no-cache',
      vary: 'accept, accept-encoding',
      etag,
    };
    if (asked.get('if-none-match')?.includes(etag)) {
      return new Response(null, { status: 304, headers });
    }
    const encoded = encoding !== 'identity' && { 'content-encoding': encoding };
    return new Response(body, { headers: { ...headers, ...encoded } });
  };
}

function contentOf(body: Buffer<ArrayBuffer>): Content {
  const hash = createHash('sha256').update(body).digest('base64url');
  return { body, etag: `"${hash.slice(0, 22)}"` };
}

/** The smallest that is accepted; what has `q=0` is not. */
function chooseEncoding(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : 'identity';
}
