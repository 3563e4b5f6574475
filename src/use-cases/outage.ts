import { unavailable } from '../core/errors.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Turns a failure that means that the database or the storage is unavailable into `UNAVAILABLE`, and logs
 * it. Any other failure is returned as it is.
 */
export function createToUnavailable({ isOutage, log }: Pick<Dependencies, 'isOutage' | 'log'>) {
  return function toUnavailable(error: unknown, requestId?: string): unknown {
    if (!isOutage(error)) return error;
    log.warn({ err: error, requestId }, 'the database or the storage is away');
    return unavailable();
  };
}

export type ToUnavailable = ReturnType<typeof createToUnavailable>;
