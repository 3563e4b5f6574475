import { decodeJwt } from 'jose';
import { ConfigurationError } from '../../../core/errors.ts';
import type { Log } from '../../../ports/log.ts';
import type { CallTimeouts } from './calls.ts';
import { expiryOf } from './expiry.ts';

export interface SupabaseStorageOptions {
  /** The URL of the project, such as `https://abcdefgh.supabase.co`. */
  url: string;
  /** The project's secret (service role) key. */
  secretKey: string;
  /** A private bucket; created if it does not exist. */
  bucket: string;
  /** Whether files should already be in the bucket: then a missing bucket is not created. */
  isInUse?: () => Promise<boolean>;
  log?: Log;
  /** Whether everything is checked first. Default: true. */
  checkAtStart?: boolean;
  timeouts?: Partial<CallTimeouts>;
}

/** Buckets with these names can be created, but routes of the server hide their objects. */
const HIDDEN = ['sign', 'info', 'public', 'authenticated'];

/**
 * Rejects settings that cannot work, before any request is sent.
 *
 * @throws ConfigurationError naming the setting; a secret is never shown
 */
export function checkOptions({ url, secretKey, bucket }: SupabaseStorageOptions): void {
  const { username, password, pathname } = new URL(url);
  if (username || password) {
    throw new ConfigurationError('SUPABASE_URL: must not hold a user name or a password');
  }
  if (pathname.includes('/storage/v1')) {
    throw new ConfigurationError(
      "SUPABASE_URL: must be the project's address, without /storage/v1",
    );
  }
  // For any other key, the error about the invalid header would contain the key.
  if (!/^[\x21-\x7e]+$/.test(secretKey)) {
    throw new ConfigurationError('SUPABASE_SECRET_KEY: must be ASCII characters without spaces');
  }
  if (isPublishable(secretKey)) {
    throw new ConfigurationError(
      "SUPABASE_SECRET_KEY: is a publishable (anon) key; take the project's secret (service_role) key",
    );
  }
  const expired = expiryOf(secretKey);
  if (expired) throw expired;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(bucket) || bucket.endsWith('--table-s3')) {
    throw new ConfigurationError(
      'SUPABASE_BUCKET: must be up to 100 letters, digits, dots, dashes and underscores, and not end with --table-s3',
    );
  }
  if (HIDDEN.includes(bucket)) {
    throw new ConfigurationError(
      `SUPABASE_BUCKET: the server cannot serve a bucket called ${bucket}; choose another name`,
    );
  }
}

/** The URL of the project's storage. */
export function storageUrlOf(url: string): string {
  return new URL('storage/v1', url.replace(/\/*$/, '/')).href;
}

/** Whether a key is meant to be public. */
function isPublishable(key: string): boolean {
  if (key.startsWith('sb_publishable_')) return true;
  try {
    return ['anon', 'authenticated'].includes(String(decodeJwt(key)['role']));
  } catch {
    // Keys need not be JWTs.
    return false;
  }
}
