import { isUtf8 } from 'node:buffer';
import { AppError } from '../core/errors.ts';
import { isJsonObject } from '../core/is-json-object.ts';
import { LIMITS } from '../core/limits.ts';

/**
 * Reads a JSON object from a request's body.
 *
 * @throws AppError UNSUPPORTED_CONTENT_TYPE, BODY_TOO_LARGE, INVALID_JSON, or INVALID_INPUT for an incomplete body
 */
export async function readJson(
  request: Request,
  maxBytes: number = LIMITS.jsonBodyBytes,
): Promise<Record<string, unknown>> {
  return asObject(await readJsonValue(request, maxBytes));
}

/** The same for a body of any JSON value. */
export async function readJsonValue(
  request: Request,
  maxBytes: number = LIMITS.jsonBodyBytes,
): Promise<unknown> {
  if (!isJson(request)) {
    throw new AppError('UNSUPPORTED_CONTENT_TYPE', { expected: 'application/json' });
  }
  return parse(await readText(request, maxBytes));
}

/** The same for an optional body; without one the object is empty. */
export async function readOptionalJson(request: Request): Promise<Record<string, unknown>> {
  const text = isJson(request) ? await readText(request, LIMITS.jsonBodyBytes) : '';
  return text === '' ? {} : asObject(parse(text));
}

function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '');
}

const decoder = new TextDecoder();

/** Without a byte order mark. */
async function readText(request: Request, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  // Bytes that are not UTF-8 would be decoded to other strings than the client's.
  if (!isUtf8(bytes)) throw new AppError('INVALID_JSON');
  return decoder.decode(bytes);
}

async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | Buffer> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw new AppError('BODY_TOO_LARGE');
  try {
    // The server enforces the declared length.
    return await (declared !== null ? request.arrayBuffer() : readUpTo(request, maxBytes));
  } catch (error) {
    // Any other failure is caused by the client.
    throw error instanceof AppError ? error : new AppError('INVALID_INPUT', { reason: CUT });
  }
}

const CUT = 'The body ended before its end';

async function readUpTo({ body }: Request, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new AppError('BODY_TOO_LARGE');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON');
  }
}

/** @throws AppError INVALID_JSON */
export function asObject(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw new AppError('INVALID_JSON');
  return value;
}
