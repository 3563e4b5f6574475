import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../core/errors.ts';
import { maxFileBytes } from '../core/limits.ts';
import type { ReceivedFile } from '../core/model.ts';

/** A file from a multipart form. A class, because no value in a client's JSON can be an instance of it. */
export class FormFile implements ReceivedFile {
  size = 0;
  contentHash = '';
  readonly originalName: string;
  readonly mimeType: string | null;
  readonly path: string;

  constructor(originalName: string, mimeType: string | null, path: string) {
    this.originalName = originalName;
    this.mimeType = mimeType;
    this.path = path;
  }
}

/**
 * Writes the bytes of a file to its path, and sets its size and its hash.
 *
 * @param fail called at once when the file is too large
 */
export function spool(
  stream: Readable,
  file: FormFile,
  fail: (error: AppError) => void,
  signal: AbortSignal,
): Promise<void> {
  const most = maxFileBytes(file);
  const hash = createHash('sha256');
  stream.on('data', (data: Buffer) => {
    hash.update(data);
    file.size += data.length;
    if (file.size > most) fail(new AppError('FILE_TOO_LARGE'));
  });
  stream.on('end', () => {
    file.contentHash = hash.digest('hex');
  });
  return pipeline(stream, createWriteStream(file.path, { mode: 0o600 }), { signal });
}
