import { hash, timingSafeEqual } from 'node:crypto';
import { AppError, ERRORS } from '../core/errors.ts';
import { readCredential } from './credential.ts';

export interface MetricsPageOptions {
  /** The bearer token that must be shown. */
  token: string;
  contentType: string;
  write: () => Promise<string>;
}

/** Answers `/metrics` to who shows the token. */
export function createMetricsPage({ token, contentType, write }: MetricsPageOptions) {
  const expected = digest(token);
  return async (request: Request): Promise<Response> => {
    const shown = readCredential(request);
    if (shown === undefined || !timingSafeEqual(digest(shown), expected)) {
      const { code, message } = new AppError('INVALID_CREDENTIAL');
      return Response.json(
        { error: message },
        { status: ERRORS[code].status, headers: { 'www-authenticate': 'Bearer' } },
      );
    }
    const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
    return new Response(await write(), { headers });
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
