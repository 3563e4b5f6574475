import { createSecretKey } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import { contentType } from 'mime-types';
import parseRange from 'range-parser';
import { AppError } from '../../../core/errors.ts';
import type { DiskStorageOptions } from './disk-storage.ts';
import { isSignedDownload, readDownload } from './signing.ts';

/**
 * Serves the signed URLs of a disk storage: GET and HEAD, for a whole file or one range.
 *
 * @returns a function that throws AppError INVALID_DOWNLOAD_LINK or FILE_NOT_FOUND
 */
export function createDownloads({ folder, baseUrl, secret }: DiskStorageOptions) {
  const key = createSecretKey(secret);
  // A proxy that serves the gateway under a path prefix removes the prefix.
  const prefix = `/${basename(new URL(baseUrl).pathname)}/`;

  return async function download(request: Request): Promise<Response> {
    const { claims, signature } = readDownload(new URL(request.url), prefix);
    const { path, fileName } = claims;
    // Only valid object paths are signed, so the path cannot leave the folder.
    if (!isSignedDownload(key, claims, signature)) throw new AppError('INVALID_DOWNLOAD_LINK');
    const file = join(folder, path);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) throw new AppError('FILE_NOT_FOUND');

    const range = readRange(request.headers.get('range'), found.size);
    const headers = new Headers({
      'accept-ranges': 'bytes',
      'content-type': contentType(fileName) || 'application/octet-stream',
      'content-disposition': contentDisposition(fileName),
      'last-modified': found.mtime.toUTCString(),
      // Uploaded HTML must not run scripts in the gateway's origin.
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    if (range === 'unsatisfiable') {
      headers.set('content-range', `bytes */${found.size}`);
      return new Response(null, { status: 416, headers });
    }
    if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${found.size}`);
    headers.set('content-length', String(range ? range.end - range.start + 1 : found.size));
    const body =
      request.method === 'HEAD'
        ? null
        : (Readable.toWeb(createReadStream(file, range)) as ReadableStream);
    return new Response(body, { status: range ? 206 : 200, headers });
  };
}

/** The requested range. For several ranges, the whole file is returned, which HTTP allows. */
function readRange(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  // A suffix range longer than the file means the whole file (RFC 9110, 14.1.3); range-parser
  // rejects it.
  const asked = header?.replace(
    /^bytes=-(\d+)$/,
    (_, end) => `bytes=-${Math.min(Number(end), size)}`,
  );
  const ranges = asked ? parseRange(size, asked) : -2;
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.length !== 1 || ranges.type !== 'bytes') return undefined;
  return ranges[0];
}
