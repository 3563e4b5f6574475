import { AppError } from '../core/errors.ts';
import { CAPS } from '../core/policy.ts';

/**
 * Reads a JSON object from a request's body.
 *
 * @throws AppError UNSUPPORTED_CONTENT_TYPE, BODY_TOO_LARGE or INVALID_JSON
 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  if (!isJson(request)) {
    throw new AppError('UNSUPPORTED_CONTENT_TYPE', { expected: 'application/json' });
  }
  return parseObject(await readText(request));
}

/** The same for a body that may be left out: then the object is empty. */
export async function readOptionalJson(request: Request): Promise<Record<string, unknown>> {
  const text = isJson(request) ? await readText(request) : '';
  return text === '' ? {} : parseObject(text);
}

function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '');
}

async function readText(request: Request): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > CAPS.jsonBodyBytes) throw new AppError('BODY_TOO_LARGE');
  // The server holds a client to the length it declares.
  if (declared !== null) return request.text();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.length;
    if (bytes > CAPS.jsonBodyBytes) throw new AppError('BODY_TOO_LARGE');
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
