import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { multipartFileName } from '../core/multipart-name.ts';
import { countParts, type PartCounter } from './count-parts.ts';
import { FormFile, spool } from './form-file.ts';
import { openSpoolFolder } from './spool.ts';

const BROKEN = 'The multipart body is broken';
const UNREADABLE =
  'a part of the form cannot be read: it needs Content-Disposition: form-data with a name, and no line breaks in names';
/** Of `Content-Transfer-Encoding`, which RFC 7578 deprecates. Without it, parts are as they are. */
const ENCODED = /^(base64|quoted-printable)$/;
/** Besides the files. */
const MOST_FIELDS = 100;
/** Files, plus room for the other fields and the multipart syntax. */
const MAX_BYTES = LIMITS.uploadBytes + 4 * LIMITS.jsonBodyBytes;

/** A multipart form, its files on the local disk. */
export interface MultipartForm {
  /** The last value of each field. */
  fields: Map<string, string>;
  /** The values of fields that may be repeated. */
  lists: Map<string, string[]>;
  files: { field: string; file: FormFile }[];
  /** Removes the files from the local disk. */
  discard(): Promise<void>;
}

/**
 * Checks the headers of a `multipart/form-data` request.
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
 * Reads the body of a request that passed `checkMultipart`. Files are streamed to disk, never held in
 * memory.
 *
 * @param spoolDir the folder for the files; created when it does not exist
 * @throws AppError for a broken or too large body, and for too many or too large files
 */
export async function readMultipart(request: Request, spoolDir: string): Promise<MultipartForm> {
  if (!request.body) throw new AppError('INVALID_INPUT', { reason: BROKEN });
  const { folder, discard } = await openSpoolFolder(spoolDir);
  try {
    const form = await parse(request.body, request, folder);
    return { ...form, discard };
  } catch (error) {
    await discard();
    throw error instanceof AppError || isDiskError(error)
      ? error
      : new AppError('INVALID_INPUT', { reason: BROKEN });
  }
}

/** Whether a failure is a failure of the local disk. */
function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && /^(open|write)$/.test(`${error.syscall}`);
}

function typeOf(headers: Headers): string {
  return headers.get('content-type') ?? '';
}

async function parse(
  body: ReadableStream<Uint8Array>,
  { headers, signal }: Request,
  folder: string,
): Promise<Omit<MultipartForm, 'discard'>> {
  const fields: MultipartForm['fields'] = new Map();
  const lists: MultipartForm['lists'] = new Map();
  const files: MultipartForm['files'] = [];
  const writes: Promise<void>[] = [];
  const parts = countParts(typeOf(headers));
  let read = 0;
  const stop = new AbortController();
  const parser = new Busboy({
    headers: { 'content-type': typeOf(headers) },
    limits: {
      fileSize: LIMITS.mediaBytes + 1,
      files: LIMITS.filesPerUpload,
      fields: MOST_FIELDS,
      fieldSize: LIMITS.jsonBodyBytes,
    },
    preservePath: true,
    // The type does not matter: some clients send fields as bytes.
    isPartAFile: (_field, _type, fileName) => fileName !== undefined,
  });

  parser.on('field', (name, value, _nameTruncated, truncated, encoding) => {
    // The parser also reports parts without a name.
    if (name === undefined) return;
    read += 1;
    if (ENCODED.test(encoding)) return rejectEncoded(name, encoding);
    if (truncated) return void parser.destroy(new AppError('BODY_TOO_LARGE'));
    fields.set(name, value);
    lists.set(name, [...(lists.get(name) ?? []), value]);
  });
  parser.on('filesLimit', () => rejectInput(`file: at most ${LIMITS.filesPerUpload} at once`));
  parser.on('fieldsLimit', () =>
    rejectInput(`at most ${MOST_FIELDS} fields at once, besides files`),
  );
  parser.on('file', (field, stream, path, encoding, mimeType) => {
    if (field === undefined) return void stream.resume();
    read += 1;
    if (ENCODED.test(encoding)) {
      stream.resume();
      return rejectEncoded(field, encoding);
    }
    const name = multipartFileName(path);
    if (!name) {
      // A file input that was left empty.
      stream.once('data', () => rejectInput(`${field}: a file needs a name`));
      stream.resume();
      return;
    }
    const file = new FormFile(name, mimeType || null, join(folder, String(files.length)));
    files.push({ field, file });
    const fail = (error: AppError) => parser.destroy(error);
    const write = spool(stream, file, fail, stop.signal);
    // Otherwise the parser would wait for a file that is no longer read.
    write.catch((error: Error) => parser.destroy(error));
    writes.push(write);
  });

  function rejectInput(reason: string): void {
    parser.destroy(new AppError('INVALID_INPUT', { reason }));
  }

  function rejectEncoded(field: string, encoding: string): void {
    rejectInput(`${field} must be sent as it is, not encoded as ${encoding}`);
  }

  try {
    await pipeline(Readable.fromWeb(body as never), (pieces) => limitBytes(pieces, parts), parser, {
      signal,
    });
    await Promise.all(writes);
    if (read !== parts.total()) throw new AppError('INVALID_INPUT', { reason: UNREADABLE });
  } catch (error) {
    // The folder is removed only after all writes have ended.
    stop.abort();
    await Promise.allSettled(writes);
    throw error;
  }
  return { fields, lists, files };
}

/** Fails when a body exceeds the limit of an upload. */
async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  parts: PartCounter,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new AppError('BODY_TOO_LARGE');
    parts.add(piece);
    yield piece;
  }
}
