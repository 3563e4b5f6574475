import { AppError, ConfigurationError } from '../../../core/errors.ts';
import type { ObjectStorage } from '../../../ports/object-storage.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { createBucketKeeper } from './bucket-keeper.ts';
import { createCalls } from './calls.ts';
import { inBatches } from './in-batches.ts';
import { createLinkProof } from './link-proof.ts';
import { listFolder } from './list-folder.ts';
import { checkOptions, type SupabaseStorageOptions, storageUrlOf } from './options.ts';
import { signUrls } from './signing.ts';
import { StorageFailure } from './storage-failure.ts';
import { downloading, uploading } from './transfers.ts';

/** Milliseconds for which a successful check is remembered: `/ready` is called often. */
const CHECK_TTL_MS = 30_000;

/**
 * Longer than the server, and the proxies in front of it, continue an upload after its client has
 * disconnected.
 */
const LATE_MS = 10 * 60_000;

/**
 * Stores files in a private bucket of Supabase Storage, which serves them by signed URLs. A server
 * that is only unavailable does not prevent the start; until it is back, `check` fails.
 *
 * @throws ConfigurationError naming the setting that is wrong
 */
export async function createSupabaseStorage(
  options: SupabaseStorageOptions,
): Promise<ObjectStorage> {
  checkOptions(options);
  const { url, bucket, log, checkAtStart = true } = options;
  const calls = createCalls(options, options.timeouts);
  const keeper = createBucketKeeper(calls, options);
  const signedHere = `${storageUrlOf(url)}/object/sign/${bucket}/`;
  const links = createLinkProof();
  const check = rememberSuccess(keeper.check, CHECK_TTL_MS);

  if (checkAtStart) {
    await check().catch((err: unknown) => {
      if (err instanceof ConfigurationError) throw err;
      log?.warn({ err }, 'starting without the storage');
    });
  }
  return {
    lateMs: LATE_MS,

    async put(path, body, { contentType, size, signal }) {
      assertPath(path);
      await keeper.ensure();
      const upload = calls.transfer(
        'an upload',
        async (storage, idle) => {
          const bytes = uploading(body(), size, idle);
          try {
            return await storage.from(bucket).upload(path, bytes, {
              contentType,
              // Paths are unique, so only an earlier attempt of this upload can be overwritten.
              upsert: true,
              // Without it, the server does not enforce its size limits.
              headers: { 'content-length': String(size) },
            });
          } finally {
            bytes.destroy();
          }
        },
        signal,
      );
      const { fullPath } = await upload.catch((error: unknown) => {
        if (error instanceof StorageFailure && error.code === 'NoSuchBucket') keeper.forget();
        return explainTooLarge(error);
      });
      // The client rewrites some paths; only the response shows it.
      if (fullPath !== `${bucket}/${path}`) {
        throw new Error(`Supabase Storage stored ${path} as ${fullPath}`);
      }
    },

    async get(path, signal) {
      assertPath(path);
      return calls.transfer(
        'a download',
        async (storage, idle) => {
          const { data, error } = await storage.from(bucket).download(path).asStream();
          return error ? { data, error } : { data: downloading(data, idle), error };
        },
        signal,
      );
    },

    async signUrls(objects) {
      const urls = await inBatches(
        objects,
        ({ path }) => path,
        (batch) => signUrls(calls, bucket, batch),
      );
      if (urls.includes(null)) await keeper.checkAccess();
      return urls;
    },

    stillGood: (urls) => links.good(urls.filter((url) => url.startsWith(signedHere))),

    async remove(paths) {
      const missing = await inBatches(
        paths,
        (path) => path,
        async (batch) => {
          const removed = await calls.callBriefly('a removal', (storage) =>
            storage.from(bucket).remove(batch),
          );
          const names = new Set(removed.map(({ name }) => name));
          return batch.filter((path) => !names.has(path));
        },
      );
      if (missing.length > 0) await keeper.checkAccess();
      return [];
    },

    list: (folder) => listFolder(calls, bucket, folder),

    check,
  };
}

/** The client does not encode paths in URLs: dot segments would lead to another bucket. */
function assertPath(path: string): void {
  const segments = path.split('/');
  if (!segments.every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && !/^\.\.?$/.test(segment))) {
    throw new Error(`not a path of ours: ${path}`);
  }
}

/** A project may allow smaller files than the gateway. */
function explainTooLarge(error: unknown): never {
  const tooLarge =
    error instanceof StorageFailure && (error.code === 'EntityTooLarge' || error.status === 413);
  throw tooLarge ? new AppError('FILE_TOO_LARGE') : error;
}
