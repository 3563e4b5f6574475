import { AppError } from '../core/errors.ts';
import type { Dependencies } from './dependencies.ts';

/** When it is worth trying again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Gives a failure its name when it means that the database or the storage is away: the client is
 * told to come back in a moment. Any other failure is what it was.
 */
export function createToUnavailable({ isOutage, log }: Pick<Dependencies, 'isOutage' | 'log'>) {
  return function toUnavailable(error: unknown, requestId?: string): unknown {
    if (!isOutage(error)) return error;
    log.warn({ err: error, requestId }, 'the database or the storage is away');
    return new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
}

export type ToUnavailable = ReturnType<typeof createToUnavailable>;
