import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../../core/errors.ts';
import type { Calls } from './calls.ts';
import { diagnose, WRONG_KEY } from './diagnostics.ts';
import type { SupabaseStorageOptions } from './options.ts';
import { secondsToExpiry } from './signing.ts';
import { StorageFailure } from './storage-failure.ts';

/** How long a bucket that was looked at may be used without looking again. */
const LOOK_MS = 10_000;
const PROBES = 'filequery-probe';
/** A probe of another gateway is no longer in use after this. */
const PROBE_MS = 60_000;
const PROBE = 'Written, signed, read and removed, to see whether that works.';

/** Looks after the bucket: that it is there, that it is private, that the key may work in it. */
export function createBucketKeeper(calls: Calls, options: SupabaseStorageOptions) {
  const { bucket, isInUse, log } = options;
  let ensured: { found: Promise<void>; until: number } | undefined;
  return { ensure, forget, checkAccess, check };

  /** Makes the bucket at the first use, and looks at it again every few seconds that it is used. */
  function ensure(): Promise<void> {
    if (!ensured || performance.now() > ensured.until) {
      const found = inspect(calls.ask);
      const looked = { found, until: performance.now() + LOOK_MS };
      ensured = looked;
      found.catch((err: unknown) => {
        if (ensured === looked) forget();
        if (err instanceof ConfigurationError) log?.error({ err }, 'the bucket cannot be used');
      });
    }
    return ensured.found;
  }

  /** Looks at the bucket before it is used again. */
  function forget(): void {
    ensured = undefined;
  }

  /**
   * That the bucket is there and the key is good. A key that may see nothing removes and signs
   * nothing, without an error: only after this is it true that what was not there was not there.
   */
  async function checkAccess(): Promise<void> {
    await calls.ask('looking at the bucket', (storage) => storage.getBucket(bucket));
  }

  /** That everything works, once; a failure names the setting and the cure. */
  async function check(): Promise<void> {
    try {
      await inspect(calls.once);
      await probe();
    } catch (error) {
      throw error instanceof StorageFailure ? diagnose(error, options) : error;
    }
    ensured = { found: Promise.resolve(), until: performance.now() + LOOK_MS };
  }

  async function inspect(ask: Calls['ask']): Promise<void> {
    const found = await findOrMake(ask);
    if (found.public) {
      throw new ConfigurationError(
        `SUPABASE_BUCKET: ${bucket} is public, anybody could read it; make it private, or choose another`,
      );
    }
    if (found.allowed_mime_types?.length) {
      throw new ConfigurationError(
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
      // An empty one would hide that the copies are lost.
      if (await isInUse?.()) throw lost(error);
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

  function lost(cause: StorageFailure): ConfigurationError {
    return new ConfigurationError(
      `SUPABASE_BUCKET: the key sees no ${bucket}, and there are files whose copies should be in it; restore it, or make an empty one, private, or set SUPABASE_SECRET_KEY to the secret (service_role) key`,
      { cause },
    );
  }

  async function probe(): Promise<void> {
    const path = `${PROBES}/${randomUUID()}`;
    const { once } = calls;
    try {
      await once('writing a probe', (storage) =>
        storage.from(bucket).upload(path, PROBE, { contentType: 'text/plain', upsert: true }),
      );
      await once('signing a probe', (storage) =>
        storage.from(bucket).createSignedUrl(path, secondsToExpiry()),
      );
      await once('reading a probe', (storage) => storage.from(bucket).download(path));
    } catch (error) {
      // It may have been written all the same; what fails here is told by the next check.
      await once('removing a probe', (storage) => storage.from(bucket).remove([path])).catch(
        () => {},
      );
      throw error;
    }
    const left = await forgotten();
    const removed = await once('removing a probe', (storage) =>
      storage.from(bucket).remove([path, ...left]),
    );
    if (removed.every(({ name }) => name !== path)) throw new ConfigurationError(WRONG_KEY);
  }

  /** Probes that nobody removed: their gateways, or the storage, went away in between. */
  async function forgotten(): Promise<string[]> {
    const probes = await calls.once('looking for probes', (storage) =>
      storage.from(bucket).list(PROBES),
    );
    return probes
      .filter(({ created_at }) => Date.now() - Date.parse(created_at ?? '') > PROBE_MS)
      .map(({ name }) => `${PROBES}/${name}`);
  }
}

function isFailure(error: unknown, code: string): error is StorageFailure {
  return error instanceof StorageFailure && error.code === code;
}
