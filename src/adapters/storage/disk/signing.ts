import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { URL_EXPIRY } from '../../../core/limits.ts';
import type { SignedObject } from '../../../ports/object-storage.ts';

/* A key is a key object, not bytes: creating one takes five times as long as signing. */

/** A URL that downloads an object, until `URL_EXPIRY`. */
export function signUrl(key: KeyObject, { path, fileName }: SignedObject, baseUrl: string): string {
  const query = new URLSearchParams({
    name: fileName,
    expires: String(URL_EXPIRY),
    signature: signDownload(key, { path, fileName, expires: URL_EXPIRY }),
  });
  return `${baseUrl}/${path}?${query}`;
}

/** The values protected by the signature of a URL. */
interface DownloadClaims {
  path: string;
  fileName: string;
  /** In milliseconds since 1970-01-01 UTC. */
  expires: number;
}

/**
 * Reads the claims of a URL, which are not verified yet.
 *
 * @param prefix the part of the URL's path that precedes the path of the object
 */
export function readDownload(
  { pathname, searchParams }: URL,
  prefix: string,
): { claims: DownloadClaims; signature: string } {
  return {
    claims: {
      path: pathname.slice(prefix.length),
      fileName: searchParams.get('name') ?? '',
      expires: Number(searchParams.get('expires')),
    },
    signature: searchParams.get('signature') ?? '',
  };
}

/** Whether we signed these claims, and they have not expired. */
export function isSignedDownload(
  key: KeyObject,
  claims: DownloadClaims,
  signature: string,
): boolean {
  const expected = Buffer.from(signDownload(key, claims));
  const given = Buffer.from(signature);
  return (
    expected.length === given.length &&
    timingSafeEqual(expected, given) &&
    claims.expires > Date.now()
  );
}

function signDownload(key: KeyObject, { path, fileName, expires }: DownloadClaims): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([path, fileName, expires]))
    .digest('base64url');
}
