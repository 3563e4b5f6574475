import type { Call } from '../core/call.ts';
import type { SearchHit, StoredFile } from '../core/model.ts';

/** A file as in the contract, without `permanentUrl` and `contentHash`: JSON omits what is undefined. */
export function presentFile(file: StoredFile) {
  return { ...file, permanentUrl: undefined, contentHash: undefined };
}

/** A source of an answer. */
export function presentSource({ pageContent, metadata }: SearchHit) {
  return { pageContent, metadata };
}

/** Adds the `X-RateLimit-*` headers, once the guard has looked at the caller's rate window. */
export function presentRate(response: Response, { rate }: Call): void {
  if (!rate) return;
  response.headers.set('x-ratelimit-limit', String(rate.limit));
  response.headers.set('x-ratelimit-remaining', String(rate.remaining));
  response.headers.set('x-ratelimit-reset', String(rate.resetSeconds));
}
