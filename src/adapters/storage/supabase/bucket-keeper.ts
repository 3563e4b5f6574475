import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../../core/errors.ts';
import type { Calls } from './calls.ts';
import { diagnose, WRONG_KEY } from './diagnostics.ts';
import type { SupabaseStorageOptions } from './options.ts';
import { secondsToExpiry } from './signing.ts';
import { StorageFailure } from './storage-failure.ts';

/** Milliseconds for which an inspection of the bucket is remembered. */
const INSPECTION_TTL_MS = 10_000;
const PROBES = 'filequery-probe';
/** Milliseconds after which a probe of another gateway is no longer in use. */
const PROBE_LIFETIME_MS = 60_000;
const PROBE = 'Written, signed, read and removed, to see whether that works.';

/** Creates the bucket, and checks that it is private and that the key has all permissions in it. */
export function createBucketKeeper(calls: Calls, options: SupabaseStorageOptions) {
  const { bucket, isInUse, log } = options;
  let ensured: { found: Promise<void>; until: number } | undefined;
  return { ensure, forget, checkAccess, check };

  /** Creates the bucket on first use, and inspects it again every few seconds while it is used. */
  function ensure(): Promise<void> {
    if (!ensured || performance.now() > ensured.until) {
      const found = inspect(calls.call);
      const inspection = { found, until: performance.now() + INSPECTION_TTL_MS };
      ensured = inspection;
      found.catch((err: unknown) => {
        if (ensured === inspection) forget();
        if (err instanceof ConfigurationError) log?.error({ err }, 'the bucket cannot be used');
      });
    }
    return ensured.found;
  }

  /** Makes the next use inspect the bucket. */
  function forget(): void {
    ensured = undefined;
  }

  /**
   * Checks that the bucket exists and that the key may see it. For a key without permissions, the
   * server removes and signs nothing and reports no error; only after this check is a missing object
   * known to be missing.
   */
  async function checkAccess(): Promise<void> {
    await calls.call('looking at the bucket', (storage) => storage.getBucket(bucket));
  }

  /** Checks everything without retries. A failure names the setting and how to correct it. */
  async function check(): Promise<void> {
    try {
      await inspect(calls.callOnce);
      await probe();
    } catch (error) {
      throw error instanceof StorageFailure ? diagnose(error, options) : error;
    }
    ensured = { found: Promise.resolve(), until: performance.now() + INSPECTION_TTL_MS };
  }

  async function inspect(call: Calls['call']): Promise<void> {
    const found = await findOrCreate(call);
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

  async function findOrCreate(call: Calls['call']) {
    const find = () => call('looking at the bucket', (storage) => storage.getBucket(bucket));
    try {
      return await find();
    } catch (error) {
      if (!isFailure(error, 'NoSuchBucket')) throw error;
      // An empty bucket would hide the loss of the files.
      if (await isInUse?.()) throw lost(error);
      await create(call, error);
    }
    return find();
  }

  async function create(call: Calls['call'], missing: StorageFailure): Promise<void> {
    try {
      await call('making the bucket', (storage) => storage.createBucket(bucket, { public: false }));
      log?.info({ bucket }, 'made the bucket of the stored copies');
    } catch (error) {
      // The key is valid but may not create buckets, so the missing bucket is the problem.
      if (isFailure(error, 'AccessDenied')) throw missing;
      // Another gateway created it.
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
    const { callOnce } = calls;
    try {
      await callOnce('writing a probe', (storage) =>
        storage.from(bucket).upload(path, PROBE, { contentType: 'text/plain', upsert: true }),
      );
      await callOnce('signing a probe', (storage) =>
        storage.from(bucket).createSignedUrl(path, secondsToExpiry()),
      );
      await callOnce('reading a probe', (storage) => storage.from(bucket).download(path));
    } catch (error) {
      // The probe may exist nevertheless; the next check reports a failure here.
      await callOnce('removing a probe', (storage) => storage.from(bucket).remove([path])).catch(
        () => {},
      );
      throw error;
    }
    const left = await listOldProbes();
    const removed = await callOnce('removing a probe', (storage) =>
      storage.from(bucket).remove([path, ...left]),
    );
    if (removed.every(({ name }) => name !== path)) throw new ConfigurationError(WRONG_KEY);
  }

  /** Probes of gateways that ended before they could remove them. */
  async function listOldProbes(): Promise<string[]> {
    const probes = await calls.callOnce('looking for probes', (storage) =>
      storage.from(bucket).list(PROBES),
    );
    return probes
      .filter(({ created_at }) => Date.now() - Date.parse(created_at ?? '') > PROBE_LIFETIME_MS)
      .map(({ name }) => `${PROBES}/${name}`);
  }
}

function isFailure(error: unknown, code: string): error is StorageFailure {
  return error instanceof StorageFailure && error.code === code;
}
