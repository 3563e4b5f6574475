import { reasonOf } from '../../core/reason-of.ts';
import { printable } from '../output.ts';
import { RefusedError } from './refused.ts';

/** In one line, with the cause, which says why `fetch` failed. */
export function describeFailure(error: unknown): string {
  const { message, cause } = error as Error;
  return printable(cause instanceof Error ? `${message}: ${reasonOf(cause)}` : reasonOf(error));
}

/** Whether a gateway refused a request, or could not be reached. `fetch` tells of it by a TypeError. */
export function isFailureOfRemote(error: unknown): boolean {
  return error instanceof RefusedError || (error instanceof TypeError && error.cause !== undefined);
}
