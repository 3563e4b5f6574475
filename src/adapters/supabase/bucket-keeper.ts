import { randomUUID } from 'node:crypto';
import { OperatorError } from '../../core/errors.ts';
import type { Calls } from './calls.ts';
import { cureFor, WRONG_KEY } from './cures.ts';
import type { SupabaseStorageOptions } from './options.ts';
import { secondsToExpiry } from './signing.ts';
import { StorageFailure } from './storage-failure.ts';

const PROBE = 'Written, signed, read and removed, to see whether that works.';

/** Looks after the bucket: that it is there, that it is private, that the key may work in it. */
export function createBucketKeeper(calls: Calls, options: SupabaseStorageOptions) {
  const { bucket, log } = options;
  let ensured: Promise<void> | undefined;
  return { ensure, prove, check };

  /** Makes the bucket at the first use, unless a check found it before. */
  function ensure(): Promise<void> {
    if (!ensured) {
      ensured = inspect(calls.ask);
      ensured.catch(() => {
        ensured = undefined;
      });
    }
    return ensured;
  }

  /**
   * That the bucket is there and the key is good. A key that may see nothing removes and signs
   * nothing, without an error: only after this is it true that what was not there was not there.
   */
  async function prove(): Promise<void> {
    await calls.ask('looking at the bucket', (storage) => storage.getBucket(bucket));
  }

  /** That everything works, once; a failure names the setting and the cure. */
  async function check(): Promise<void> {
    try {
      await inspect(calls.once);
      await probe();
    } catch (error) {
      throw error instanceof StorageFailure ? cureFor(error, options) : error;
    }
    ensured = Promise.resolve();
  }

  async function inspect(ask: Calls['ask']): Promise<void> {
    const found = await findOrMake(ask);
    if (found.public) {
      throw new OperatorError(
        `SUPABASE_BUCKET: ${bucket} is public, anybody could read it; make it private, or choose another`,
      );
    }
    if (found.allowed_mime_types?.length) {
      throw new OperatorError(
        `SUPABASE_BUCKET: ${bucket} takes files of certain types only; allow all, or choose another`,
      );
    }
  }

  async function findOrMake(ask: Calls['ask']) {
    const find = () => ask('looking at the bucket', (storage) => storage.getBucket(bucket));
    try {
      return await find();
    } catch (error) {
      if (!isFailure(error, 'NoSuchBucket')) throw error;
      await make(ask, error);
    }
    return find();
  }

  async function make(ask: Calls['ask'], missing: StorageFailure): Promise<void> {
    try {
      await ask('making the bucket', (storage) => storage.createBucket(bucket, { public: false }));
      log?.info({ bucket }, 'made the bucket of the stored copies');
    } catch (error) {
      // The key is known, and may do less than this: what is wrong is that there is no bucket.
      if (isFailure(error, 'AccessDenied')) throw missing;
      // Another gateway was quicker.
      if (!isFailure(error, 'BucketAlreadyExists')) throw error;
    }
  }

  async function probe(): Promise<void> {
    const path = `filequery-probe/${randomUUID()}`;
    const { once } = calls;
    await once('writing a probe', (storage) =>
      storage.from(bucket).upload(path, PROBE, { contentType: 'text/plain', upsert: true }),
    );
    let removed: { name: string }[];
    try {
      await once('signing a probe', (storage) =>
        storage.from(bucket).createSignedUrl(path, secondsToExpiry()),
      );
      await once('reading a probe', (storage) => storage.from(bucket).download(path));
    } finally {
      removed = await once('removing a probe', (storage) => storage.from(bucket).remove([path]));
    }
    if (removed.every(({ name }) => name !== path)) throw new OperatorError(WRONG_KEY);
  }
}

function isFailure(error: unknown, code: string): error is StorageFailure {
  return error instanceof StorageFailure && error.code === code;
}
