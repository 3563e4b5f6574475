import type { IncomingMessage } from 'node:http';
import type { StoredObject } from './buckets.ts';
import { refusal } from './refusals.ts';

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Bytes, text, or anything else as JSON. */
  body: object | string;
}

/** The bytes of an object, or a range of them, or that they did not change. */
export function serveObject(
  { headers: asked }: IncomingMessage,
  { content, contentType, etag, updated_at }: StoredObject,
  more: Record<string, string>,
): Reply {
  const lastModified = new Date(updated_at).toUTCString();
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    // A page is never served as one.
    'content-type': contentType.replace(/^text\/html/, 'text/plain'),
    etag,
    'x-robots-tag': 'none',
    'last-modified': lastModified,
    ...more,
  };
  const isUnchanged =
    asked['if-none-match'] === etag ||
    Date.parse(asked['if-modified-since'] ?? '') >= Date.parse(lastModified);
  if (isUnchanged) return { status: 304, headers, body: Buffer.alloc(0) };
  if (!asked.range) return { headers, body: content };

  const [start, end] = readRange(asked.range, content.length);
  headers['content-range'] = `bytes ${start}-${end}/${content.length}`;
  return { status: 206, headers, body: content.subarray(start, end + 1) };
}

/** One range; anything else is refused. */
function readRange(range: string, size: number): [start: number, end: number] {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = from ? Number(from) : Math.max(0, size - Number(to));
  const end = from && to ? Math.min(Number(to), size - 1) : size - 1;
  if ((!from && !to) || start > end) throw refusal('InvalidRange');
  return [start, end];
}

/** @param download the parameter of a signed URL; not there, empty, or a name */
export function dispositionOf(download: string | null): Record<string, string> {
  if (download === null) return {};
  const name = encodeURIComponent(download);
  const parameters = name && ` filename=${name}; filename*=UTF-8''${name}`;
  return { 'content-disposition': `attachment;${parameters}` };
}
