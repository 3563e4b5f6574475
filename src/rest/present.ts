import type { Call } from '../core/call.ts';
import { type PublicError, toPublicError } from '../core/errors.ts';
import type { SearchHit, StoredFile } from '../core/model.ts';

/** A file as the contract writes it: JSON leaves out what is undefined. */
export function presentFile(file: StoredFile) {
  return { ...file, permanentUrl: undefined };
}

/** A chunk that an answer was written from. */
export function presentSource({ pageContent, metadata }: SearchHit) {
  return { pageContent, metadata };
}

export function presentError(error: unknown): Response {
  const known = toPublicError(error);
  const { retryAfterSeconds } = known.details;
  return Response.json(errorBody(known), {
    status: known.status,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  });
}

function errorBody({ code, text, details }: PublicError) {
  if (code !== 'INSUFFICIENT_CREDITS') return { error: text };
  const { required, available } = details;
  return {
    error: text,
    message: `This costs ${required} credits and ${available} are left: please top up.`,
    details: { required, available },
  };
}

/** Says on a response where the caller's rate window stands, as far as the guard got. */
export function presentRate(response: Response, { rate }: Call): void {
  if (!rate) return;
  response.headers.set('x-ratelimit-limit', String(rate.limit));
  response.headers.set('x-ratelimit-remaining', String(rate.remaining));
  response.headers.set('x-ratelimit-reset', String(rate.resetSeconds));
}
