import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** A response that is the same for everybody, made ready once. */
export interface StaticFile {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  etag: string;
}

export async function createStaticFile(contentType: string, text: string): Promise<StaticFile> {
  const bytes = new TextEncoder().encode(text);
  const gzipped = new Uint8Array(await promisify(gzip)(bytes));
  return { contentType, bytes, gzipped, etag: etagOf(bytes) };
}

/** The same from bytes that are compressed already. */
export async function unpackStaticFile(
  contentType: string,
  gzipped: Uint8Array<ArrayBuffer>,
): Promise<StaticFile> {
  const bytes = new Uint8Array(await promisify(gunzip)(gzipped));
  return { contentType, bytes, gzipped, etag: etagOf(bytes) };
}

/** Answers GET and HEAD: compressed if the client can read that, and 304 if it has the file. */
export function serveStaticFile(
  { headers, method }: Request,
  { contentType, bytes, gzipped, etag }: StaticFile,
  more: Record<string, string> = {},
): Response {
  const common = { etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache', ...more };
  if (headers.get('if-none-match')?.includes(etag.slice(2))) {
    return new Response(null, { status: 304, headers: common });
  }
  const compressed = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
    headers.get('accept-encoding') ?? '',
  );
  const body = compressed ? gzipped : bytes;
  return new Response(method === 'HEAD' ? null : body, {
    headers: {
      ...common,
      'content-type': contentType,
      'content-length': String(body.length),
      ...(compressed && { 'content-encoding': 'gzip' }),
    },
  });
}

/** Weak, because both encodings have it. */
function etagOf(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
