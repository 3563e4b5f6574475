import { StorageApiError } from '@supabase/supabase-js';
import { ConfigurationError } from '../../../core/errors.ts';

/** A call to Supabase Storage that failed. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
  /** The server's word for it, such as `NoSuchKey`, or the system's, such as `ENOTFOUND`. */
  readonly code: string | undefined;
  /** Of the answer, if there was one, as its body tells it: HTTP's is 400 for nearly everything. */
  readonly status: number | undefined;
  /** What happened, in one line. */
  readonly reason: string;
  /** Whether the same call may work a moment later. */
  readonly passing: boolean;

  /**
   * @param what was called, such as `an upload`
   * @param error as the client gives it
   */
  constructor(what: string, error: Error) {
    const root = chainOf(error).at(-1) ?? error;
    const code = 'code' in root && typeof root.code === 'string' ? root.code : undefined;
    const reason = [code, root.message].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ');
    super(`Supabase Storage: ${what} failed: ${reason}`, { cause: error });
    this.code = code;
    this.status = statusOf(error);
    this.reason = reason;
    this.passing = isPassing(this);
  }
}

function statusOf(error: Error): number | undefined {
  if (!(error instanceof StorageApiError)) return undefined;
  // Where a body has none, the client puts the code there, which may be a number of another kind.
  return /^[1-5]\d\d$/.test(error.statusCode ?? '') ? Number(error.statusCode) : error.status;
}

function isPassing({ code, status }: StorageFailure): boolean {
  // Refused like any other wish, although it is only early.
  if (code === 'ResourceLocked') return true;
  return !status || status === 429 || status >= 500;
}

/**
 * Whether a failure means that the storage is away, or that its operator has to mend something:
 * the same request may succeed later.
 */
export function isStorageOutage(error: unknown): boolean {
  return error instanceof ConfigurationError || (error instanceof StorageFailure && error.passing);
}

/** An error and what it comes from: the client and `fetch` wrap what happened on the way. */
export function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  return [error, ...chainOf('originalError' in error ? error.originalError : error.cause)];
}
