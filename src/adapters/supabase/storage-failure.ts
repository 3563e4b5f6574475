import { StorageApiError } from '@supabase/supabase-js';

/** A call to Supabase Storage that failed. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
  /** The server's word for it, such as `NoSuchKey`, or the system's, such as `ENOTFOUND`. */
  readonly code: string | undefined;
  /** Of the HTTP answer, if there was one; 400 for nearly everything, so look at the code first. */
  readonly status: number | undefined;
  /** Whether the same call may work a moment later. */
  readonly passing: boolean;

  /**
   * @param what was called, such as `an upload`
   * @param error as the client gives it
   */
  constructor(what: string, error: Error) {
    const root = chainOf(error).at(-1) ?? error;
    const code = 'code' in root && typeof root.code === 'string' ? root.code : undefined;
    super(`Supabase Storage: ${what} failed: ${[code, root.message].filter(Boolean).join(', ')}`, {
      cause: error,
    });
    this.code = code;
    this.status = error instanceof StorageApiError ? error.status : undefined;
    this.passing = !this.status || this.status === 429 || this.status >= 500;
  }
}

/** An error and what it comes from: the client and `fetch` wrap what happened on the way. */
export function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  return [error, ...chainOf('originalError' in error ? error.originalError : error.cause)];
}
