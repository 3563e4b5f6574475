import { FilequeryError } from '../../client/index.ts';
import { ERRORS } from '../../core/error-table.ts';
import { reasonOf } from '../../core/reason-of.ts';
import { printable } from '../output.ts';

/** In one line, with the innermost cause, which says why `fetch` failed. */
export function describeFailure(error: unknown): string {
  const { message } = error as Error;
  if (isFailureOfRemote(error) && error.code === 'INSUFFICIENT_CREDITS') {
    const { required, available } = error.details;
    return `not enough credits: this costs ${required}, and ${available} are left`;
  }
  if (isFailureOfRemote(error) && /^DATASET_(AND_QUESTION_)?REQUIRED/.test(error.code)) {
    return `${message}: an API key needs --dataset`;
  }
  let bottom = error as Error;
  while (bottom.cause instanceof Error) bottom = bottom.cause;
  const isReachable = bottom === error || statusOf(error) !== undefined;
  return printable(isReachable ? reasonOf(error) : `${message}: ${reasonOf(bottom)}`);
}

/** Whether a gateway refused a request, or could not be reached. */
export function isFailureOfRemote(error: unknown): error is FilequeryError {
  return error instanceof FilequeryError;
}

/** The HTTP status; for a failure over GraphQL, the one that REST would have. */
export function statusOf(error: unknown): number | undefined {
  if (!isFailureOfRemote(error)) return undefined;
  const row = Object.entries(ERRORS).find(([code]) => code === error.code);
  return error.status ?? row?.[1].status;
}
