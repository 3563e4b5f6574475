import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createSupabaseStorage } from '../../../../src/adapters/storage/supabase/supabase-storage.ts';
import type { ObjectStorage } from '../../../../src/ports/object-storage.ts';
import type { SupabaseDouble } from '../../../support/supabase-double.ts';

export const BUCKET = 'copies';
export const TEXT = 'The fox is quick.';

type Options = Parameters<typeof createSupabaseStorage>[0];

/** The timeouts of tests in which a server does not answer. */
export const HASTY = { timeoutMs: 250, idleTimeoutMs: 250, retryDelayMs: 1, maxRetryDelayMs: 10 };

/** The adapter on a double. It tries again at once, and waits for answers as long as a busy machine takes. */
export function connect(
  { url, secretKey }: Pick<SupabaseDouble, 'url' | 'secretKey'>,
  options: Partial<Options> = {},
): Promise<ObjectStorage> {
  const timeouts = { ...HASTY, timeoutMs: 5000, idleTimeoutMs: 5000 };
  return createSupabaseStorage({ url, secretKey, bucket: BUCKET, timeouts, ...options });
}

export function put(storage: ObjectStorage, path: string, content = TEXT): Promise<void> {
  const size = Buffer.byteLength(content);
  return storage.put(path, () => Readable.from([Buffer.from(content)]), {
    contentType: 'text/plain',
    size,
  });
}

/** What the adapter does for its callers; `a.txt` is there. Each may be done twice. */
export const OPERATIONS = {
  upload: async (storage: ObjectStorage) => {
    await put(storage, 'b.txt');
    return text(await storage.get('b.txt'));
  },
  download: async (storage: ObjectStorage) => text(await storage.get('a.txt')),
  signMany: async (storage: ObjectStorage) =>
    (await storage.signUrls([{ path: 'a.txt', fileName: 'a.txt' }])).map((url) => typeof url),
  remove: (storage: ObjectStorage) => storage.remove(['a.txt', 'missing.txt']),
} as const;

/** What comes of them when all is well. */
export const RESULTS = { upload: TEXT, download: TEXT, signMany: ['string'], remove: [] };

export type Operation = keyof typeof OPERATIONS;
