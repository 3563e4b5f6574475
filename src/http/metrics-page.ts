import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../core/errors.ts';
import { readCredential } from './credential.ts';
import { errorResponse } from './error-response.ts';

export interface MetricsPageOptions {
  /** The bearer token that a request must have. */
  token: string;
  contentType: string;
  write: () => Promise<string>;
}

/** Serves `/metrics` to requests with the token. */
export function createMetricsPage({ token, contentType, write }: MetricsPageOptions) {
  const expected = digest(token);
  return async (request: Request): Promise<Response> => {
    const shown = readCredential(request);
    if (shown === undefined || !timingSafeEqual(digest(shown), expected)) {
      const response = errorResponse(new AppError('INVALID_CREDENTIAL'));
      response.headers.set('www-authenticate', 'Bearer');
      return response;
    }
    const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
    return new Response(await write(), { headers });
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
