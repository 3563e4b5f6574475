import { StorageApiError } from '@supabase/supabase-js';
import { ConfigurationError } from '../../../core/errors.ts';

/** A call to Supabase Storage that failed. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
  /** The server's code, such as `NoSuchKey`, or the system's, such as `ENOTFOUND`. */
  readonly code: string | undefined;
  /** The status in the body of the response, if there was one: HTTP's own is nearly always 400. */
  readonly status: number | undefined;
  /** What happened, in one line. */
  readonly reason: string;
  /** Whether a retry may succeed. */
  readonly transient: boolean;

  /**
   * @param what was called, such as `an upload`
   * @param error the client's error
   */
  constructor(what: string, error: Error) {
    const root = chainOf(error).at(-1) ?? error;
    const code = 'code' in root && typeof root.code === 'string' ? root.code : undefined;
    const reason = [code, root.message].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ');
    super(`Supabase Storage: ${what} failed: ${reason}`, { cause: error });
    this.code = code;
    this.status = statusOf(error);
    this.reason = reason;
    this.transient = isTransient(this);
  }
}

function statusOf(error: Error): number | undefined {
  if (!(error instanceof StorageApiError)) return undefined;
  // Without a status in the body, the client puts the code there, which may be any number.
  return /^[1-5]\d\d$/.test(error.statusCode ?? '') ? Number(error.statusCode) : error.status;
}

function isTransient({ code, status }: StorageFailure): boolean {
  // Reported as a 400, although a later retry succeeds.
  if (code === 'ResourceLocked') return true;
  return !status || status === 429 || status >= 500;
}

/**
 * Whether the storage is unavailable or misconfigured, so that the same request may succeed later.
 */
export function isStorageOutage(error: unknown): boolean {
  return (
    error instanceof ConfigurationError || (error instanceof StorageFailure && error.transient)
  );
}

/** An error with its causes: the client and `fetch` wrap the original error. */
export function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  return [error, ...chainOf('originalError' in error ? error.originalError : error.cause)];
}
