import { AppError } from '../core/errors.ts';
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
  if (!isJson(request)) {
    throw new AppError('UNSUPPORTED_CONTENT_TYPE', { expected: 'application/json' });
  }
  return parseObject(await readText(request, maxBytes));
}

/** The same for an optional body; without one the object is empty. */
export async function readOptionalJson(request: Request): Promise<Record<string, unknown>> {
  const text = isJson(request) ? await readText(request, LIMITS.jsonBodyBytes) : '';
  return text === '' ? {} : parseObject(text);
}

function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '');
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw new AppError('BODY_TOO_LARGE');
  try {
    // The server enforces the declared length.
    return await (declared !== null ? request.text() : readUpTo(request, maxBytes));
  } catch (error) {
    // Any other failure is caused by the client.
    throw error instanceof AppError ? error : new AppError('INVALID_INPUT', { reason: CUT });
  }
}

const CUT = 'The body ended before its end';

async function readUpTo({ body }: Request, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new AppError('BODY_TOO_LARGE');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_JSON');
  }
  return value as Record<string, unknown>;
}
