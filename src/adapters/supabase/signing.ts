import { URL_EXPIRY } from '../../core/policy.ts';
import type { SignedObject } from '../../ports/object-storage.ts';
import type { Calls } from './calls.ts';

/** Signs the URLs of a batch of objects; in their order. */
export async function signUrls(
  { ask }: Calls,
  bucket: string,
  objects: SignedObject[],
): Promise<string[]> {
  const paths = objects.map(({ path }) => path);
  const signed = await ask('signing', (storage) =>
    storage.from(bucket).createSignedUrls(paths, secondsToExpiry()),
  );
  return objects.map(({ path, fileName }, at) => {
    const { signedUrl, error } = signed[at] ?? {};
    if (!signedUrl) throw new Error(`Supabase Storage cannot sign ${path}: ${error}`);
    // The client's own option encodes the name twice.
    return `${signedUrl}&download=${encodeURIComponent(fileName.toWellFormed())}`;
  });
}

/** For how long URLs are signed, from now. */
export function secondsToExpiry(): number {
  return Math.floor(URL_EXPIRY / 1000) - Math.floor(Date.now() / 1000);
}
