import { AppError } from '../../core/errors.ts';
import { shownUrl } from '../../core/shown-url.ts';

/** The reason why a file is not fetched, as a message for the user. */
export class UnfetchableError extends Error {
  override readonly name = 'UnfetchableError';
}

/**
 * A host name that does not exist and one with a private address have the same reason: the difference would
 * reveal internal networks.
 */
export const REASONS = {
  notPublic: 'it has no public address',
  notAllowed: 'it leads to an address that is not fetched',
  unreachable: 'its server cannot be reached',
  redirects: 'it is redirected too often',
  tooSlow: 'its server is too slow',
  cut: 'its server ended the connection too early',
  encoding: 'its server encodes it in a way that cannot be decoded',
} as const;

/** @param url as the client sent it; the target of a redirect is not shown */
export function notFetched(url: URL, reason: string): AppError {
  return new AppError('URL_NOT_FETCHED', { url: shownUrl(url), reason });
}
