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

/** How long a check that passed is good for: `/ready` is asked often. */
const CHECK_MS = 30_000;

/** Longer than a server, and the proxies before it, work on an upload that nobody waits for. */
const LATE_MS = 10 * 60_000;

/**
 * Stored copies in a private bucket of Supabase Storage, handed out by its own signed URLs.
 * A server that is only away does not stop the start; `check` tells until it is back.
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
  const check = rememberSuccess(keeper.check, CHECK_MS);

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
              // The path is ours alone: what may have been stored already is stored again.
              upsert: true,
              // Without it the server would not mind its size limits.
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
      // The client rewrites some paths on their way; only the server's answer tells.
      if (fullPath !== `${bucket}/${path}`) {
        throw new Error(`Supabase Storage stored ${path} as ${fullPath}`);
      }
    },

    async get(path) {
      assertPath(path);
      return calls.transfer('a download', async (storage, idle) => {
        const { data, error } = await storage.from(bucket).download(path).asStream();
        return error ? { data, error } : { data: downloading(data, idle), error };
      });
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
          const removed = await calls.askBriefly('a removal', (storage) =>
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

/** The client puts a path into its URL as it is: dot segments would lead to another bucket. */
function assertPath(path: string): void {
  const segments = path.split('/');
  if (!segments.every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && !/^\.\.?$/.test(segment))) {
    throw new Error(`not a path of ours: ${path}`);
  }
}

/** A file that the gateway takes may be larger than the project allows. */
function explainTooLarge(error: unknown): never {
  const tooLarge =
    error instanceof StorageFailure && (error.code === 'EntityTooLarge' || error.status === 413);
  throw tooLarge ? new AppError('FILE_TOO_LARGE') : error;
}
