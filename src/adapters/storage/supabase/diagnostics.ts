import { ConfigurationError } from '../../../core/errors.ts';
import { type SupabaseStorageOptions, storageUrlOf } from './options.ts';
import { chainOf, type StorageFailure } from './storage-failure.ts';

export const WRONG_KEY =
  'SUPABASE_SECRET_KEY: may not write, sign, read and remove in the bucket; take the secret (service_role) key of the project';

/**
 * Describes a failed check to the operator, in one line with the setting and how to correct it.
 *
 * @returns a `ConfigurationError`, or another error when the server may only be unavailable
 */
export function diagnose(failure: StorageFailure, { url, bucket }: SupabaseStorageOptions): Error {
  const { code, status, transient, reason } = failure;
  const cause = { cause: failure };
  switch (code) {
    case 'AccessDenied':
    case 'InvalidJWT':
    // An object that the key may write but not read is reported as not found.
    case 'NoSuchKey':
      return new ConfigurationError(WRONG_KEY, cause);
    case 'NoSuchBucket':
      return new ConfigurationError(
        `SUPABASE_BUCKET: the key sees no ${bucket} and may not make it; make it, private, or set SUPABASE_SECRET_KEY to the secret (service_role) key`,
        cause,
      );
    case 'InvalidBucketName':
      return new ConfigurationError(
        `SUPABASE_BUCKET: the server refuses the name ${bucket}; choose another`,
        cause,
      );
    case 'ENOTFOUND':
      return new ConfigurationError(
        `SUPABASE_URL: there is no host ${new URL(url).host}; take the address of the project`,
        cause,
      );
    case 'TenantNotFound':
      return new ConfigurationError(
        `SUPABASE_URL: there is no project at ${url}; take the address of the project`,
        cause,
      );
  }
  // The API gateway in front of the storage sends no codes; an unknown database role is a 500.
  if (status === 401 || status === 403 || /\b22023$/.test(reason)) {
    return new ConfigurationError(WRONG_KEY, cause);
  }
  const address = storageUrlOf(url);
  const isPage = chainOf(failure).some((error) => error instanceof SyntaxError);
  if (transient && !isPage) {
    return new Error(
      `SUPABASE_URL: ${address} does not answer now (${reason}); see that the address is right and the project runs`,
      cause,
    );
  }
  if (isPage || !code || status === 404) {
    return new ConfigurationError(
      `SUPABASE_URL: ${address} is no Supabase Storage; take the address of the project`,
      cause,
    );
  }
  return new ConfigurationError(`SUPABASE_BUCKET: ${bucket} cannot be used: ${reason}`, cause);
}
