import { AppError } from '../core/errors.ts';
import { isLoopbackName } from '../http/loopback.ts';

export interface OriginOptions {
  /** The URL at which clients reach the gateway, if it is known. */
  publicUrl: string | undefined;
  /** Browser origins that may call the gateway; `*` allows all. */
  corsOrigins: '*' | string[];
}

/**
 * Rejects requests of web pages that may not call the gateway. A gateway that only this computer can reach
 * accepts no request for another host name (the host name of a page could point to this computer), and no
 * request of pages from other computers unless `CORS_ORIGINS` names them.
 *
 * @throws AppError ORIGIN_NOT_ALLOWED
 */
export function checkOrigin(
  { url, headers }: Request,
  { publicUrl, corsOrigins }: OriginOptions,
): void {
  const isLocal = publicUrl !== undefined && isLoopbackName(new URL(publicUrl).hostname);
  const { hostname, host } = new URL(url);
  if (isLocal && !isLoopbackName(hostname)) {
    throw new AppError('ORIGIN_NOT_ALLOWED', {
      reason: `This gateway does not answer at ${host}: set PUBLIC_URL if it should`,
    });
  }
  const origin = headers.get('origin');
  if (origin === null || isAllowed(origin)) return;
  throw new AppError('ORIGIN_NOT_ALLOWED', {
    reason: 'Pages of this origin may not call the gateway: set CORS_ORIGINS if they should',
  });

  function isAllowed(text: string): boolean {
    if (corsOrigins !== '*') return corsOrigins.includes(text);
    return !isLocal || (URL.canParse(text) && isLoopbackName(new URL(text).hostname));
  }
}
