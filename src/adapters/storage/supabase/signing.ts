import { URL_EXPIRY } from '../../../core/limits.ts';
import type { SignedObject } from '../../../ports/object-storage.ts';
import type { Calls } from './calls.ts';

/** Signs the URLs for a batch of objects, in the same order; null for objects that the key cannot see. */
export async function signUrls(
  { call }: Calls,
  bucket: string,
  objects: SignedObject[],
): Promise<(string | null)[]> {
  const paths = objects.map(({ path }) => path);
  const signed = await call('signing', (storage) =>
    storage.from(bucket).createSignedUrls(paths, secondsToExpiry()),
  );
  const urls = new Map(signed.map(({ path, signedUrl }) => [path, signedUrl]));
  return objects.map(({ path, fileName }) => {
    const url = urls.get(path) ?? null;
    // The client's own option encodes the name twice.
    return url && `${url}&download=${encodeURIComponent(fileName.toWellFormed())}`;
  });
}

/** The lifetime of a URL that is signed now, in seconds. */
export function secondsToExpiry(): number {
  return Math.floor(URL_EXPIRY / 1000) - Math.floor(Date.now() / 1000);
}
