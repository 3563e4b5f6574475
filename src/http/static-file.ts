import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { memoize } from '../core/memoize.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A response that is the same for every client; each encoding is created when it is first needed. */
export interface StaticFile {
  contentType: string;
  identity: () => Promise<Bytes>;
  gzip: () => Promise<Bytes>;
  br?: () => Promise<Bytes>;
  etag: () => Promise<string>;
}

export function createStaticFile(contentType: string, text: string): StaticFile {
  const bytes = new TextEncoder().encode(text);
  return {
    contentType,
    identity: async () => bytes,
    gzip: memoize(async () => new Uint8Array(await promisify(gzip)(bytes))),
    etag: memoize(async () => etagOf(bytes)),
  };
}

/** The same from files that are already compressed. */
export function readStaticFile(contentType: string, forms: { gzip: URL; br?: URL }): StaticFile {
  const { br } = forms;
  const gzipped = memoize(async () => new Uint8Array(await readFile(forms.gzip)));
  return {
    contentType,
    identity: memoize(async () => new Uint8Array(await promisify(gunzip)(await gzipped()))),
    gzip: gzipped,
    ...(br && { br: memoize(async () => new Uint8Array(await readFile(br))) }),
    etag: memoize(async () => etagOf(await gzipped())),
  };
}

/** Answers GET and HEAD: compressed as the client accepts it, and 304 if it has the file. */
export async function serveStaticFile(
  { headers, method }: Request,
  file: StaticFile,
  more: Record<string, string> = {},
): Promise<Response> {
  const etag = await file.etag();
  // `no-cache`: revalidated each time, and sent when it has changed.
  const common = { etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache', ...more };
  if (headers.get('if-none-match')?.includes(etag.slice(2))) {
    return new Response(null, { status: 304, headers: common });
  }
  const [encoding, read] = chooseForm(headers.get('accept-encoding') ?? '', file);
  const body = await read();
  return new Response(method === 'HEAD' ? null : body, {
    headers: {
      ...common,
      'content-type': file.contentType,
      'content-length': String(body.length),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    },
  });
}

/** The smallest that is accepted; what has `q=0` is not. */
function chooseForm(accepted: string, { br, gzip, identity }: StaticFile) {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase());
  if (br && names.includes('br')) return ['br', br] as const;
  return names.includes('gzip') ? (['gzip', gzip] as const) : (['identity', identity] as const);
}

/** Weak, because all encodings share it. */
function etagOf(bytes: Bytes): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
