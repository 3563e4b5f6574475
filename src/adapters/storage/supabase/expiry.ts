import { decodeJwt } from 'jose';
import { ConfigurationError } from '../../../core/errors.ts';

/** An error if the key is a JWT that has expired. */
export function expiryOf(secretKey: string, cause?: Error): ConfigurationError | undefined {
  const expires = expiresAt(secretKey);
  if (expires === undefined || expires > Date.now()) return undefined;
  const since = new Date(expires).toISOString();
  return new ConfigurationError(
    `SUPABASE_SECRET_KEY: has expired (${since}); take the current secret (service_role) key of the project`,
    { cause },
  );
}

/** Milliseconds since 1970. */
function expiresAt(secretKey: string): number | undefined {
  try {
    const { exp } = decodeJwt(secretKey);
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    return undefined;
  }
}
