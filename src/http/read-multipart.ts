import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { SpooledFile } from '../core/model.ts';
import { openSpoolFolder } from './spool.ts';

/** A file that came in a form. Nothing that a client writes can pretend to be one. */
export class FormFile implements SpooledFile {
  size = 0;
  readonly originalName: string;
  readonly mimeType: string | null;
  readonly path: string;

  constructor(originalName: string, mimeType: string | null, path: string) {
    this.originalName = originalName;
    this.mimeType = mimeType;
    this.path = path;
  }
}

/** A multipart form, its files on the local disk. */
export interface MultipartForm {
  fields: Map<string, string>;
  files: { field: string; file: FormFile }[];
  /** Removes the files from the local disk. */
  discard(): Promise<void>;
}

/**
 * Looks at the headers of a `multipart/form-data` request.
 *
 * @throws AppError UNSUPPORTED_CONTENT_TYPE or BODY_TOO_LARGE
 */
export function checkMultipart({ headers }: Request): void {
  if (!/^multipart\/form-data\s*(;|$)/i.test(typeOf(headers))) {
    throw new AppError('UNSUPPORTED_CONTENT_TYPE', { expected: 'multipart/form-data' });
  }
  if (Number(headers.get('content-length')) > MAX_BYTES) throw new AppError('BODY_TOO_LARGE');
}

/**
 * Reads the body of a request that `checkMultipart` let pass. Files stream to the disk, never
 * through memory whole.
 *
 * @param spoolDir where the files wait; made when it is not there
 * @throws AppError for a broken or too large body, and for too many or too large files
 */
export async function readMultipart(request: Request, spoolDir: string): Promise<MultipartForm> {
  if (!request.body) throw new AppError('INVALID_INPUT', { reason: BROKEN });
  const { folder, discard } = await openSpoolFolder(spoolDir);
  try {
    const { fields, files } = await parse(request.body, request, folder);
    return { fields, files, discard };
  } catch (error) {
    await discard();
    throw error instanceof AppError || isOurs(error)
      ? error
      : new AppError('INVALID_INPUT', { reason: BROKEN });
  }
}

/** Whether a failure is of the local disk. */
function isOurs(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && /^(open|write)$/.test(`${error.syscall}`);
}

function typeOf(headers: Headers): string {
  return headers.get('content-type') ?? '';
}

const BROKEN = 'The multipart body is broken';
/** What stands around the files, and the other fields, come on top of them. */
const MAX_BYTES = LIMITS.uploadBytes + 4 * LIMITS.jsonBodyBytes;

async function parse(
  body: ReadableStream<Uint8Array>,
  { headers, signal }: Request,
  folder: string,
): Promise<Pick<MultipartForm, 'fields' | 'files'>> {
  const fields: MultipartForm['fields'] = new Map();
  const files: MultipartForm['files'] = [];
  const writes: Promise<void>[] = [];
  const stop = new AbortController();
  const parser = new Busboy({
    headers: { 'content-type': typeOf(headers) },
    limits: {
      fileSize: LIMITS.mediaBytes + 1,
      files: LIMITS.filesPerUpload,
      fields: 100,
      fieldSize: LIMITS.jsonBodyBytes,
    },
  });

  parser.on('field', (name, value, _nameTruncated, truncated) => {
    if (truncated) parser.destroy(new AppError('BODY_TOO_LARGE'));
    else fields.set(name, value);
  });
  parser.on('filesLimit', () => {
    const reason = `file: at most ${LIMITS.filesPerUpload} at once`;
    parser.destroy(new AppError('INVALID_INPUT', { reason }));
  });
  parser.on('file', (field, stream, name, _encoding, mimeType) => {
    if (!name) {
      // A file input that was left empty.
      stream.resume();
      return;
    }
    const path = join(folder, String(files.length));
    const file = new FormFile(decodeName(name), mimeType || null, path);
    files.push({ field, file });
    stream.on('data', (data: Buffer) => {
      file.size += data.length;
      if (file.size > maxBytes(mimeType)) parser.destroy(new AppError('FILE_TOO_LARGE'));
    });
    const target = createWriteStream(path, { mode: 0o600 });
    const write = pipeline(stream, target, { signal: stop.signal });
    // Seen below; until then it must not count as unhandled.
    write.catch(() => {});
    writes.push(write);
  });

  try {
    await pipeline(Readable.fromWeb(body as never), limitBytes, parser, { signal });
    await Promise.all(writes);
  } catch (error) {
    // The folder can be removed when nothing is written to it any longer.
    stop.abort();
    await Promise.allSettled(writes);
    throw error;
  }
  return { fields, files };
}

/** Ends a body that goes on for longer than any upload may. */
async function* limitBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new AppError('BODY_TOO_LARGE');
    yield part;
  }
}

/** Media may be larger; whether it is media, is seen by its content later. */
function maxBytes(mimeType: string): number {
  return /^(audio|video)\//.test(mimeType) ? LIMITS.mediaBytes : LIMITS.fileBytes;
}

/** Browsers write a quote and line breaks of a name as percent codes, and nothing else. */
function decodeName(name: string): string {
  return name.replaceAll(/%(22|0A|0D)/gi, (code) => decodeURIComponent(code));
}
