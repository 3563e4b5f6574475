import { setTimeout } from 'node:timers/promises';
import { refusalOf } from './refused.ts';

/** In milliseconds; each wait is twice as long as the one before. */
const FIRST_WAIT_MS = 500;
const MAX_ATTEMPTS = 6;

/**
 * Sends a request until it is answered. After a broken connection or an error of the server it is
 * sent again, six times within 16 seconds; after a 429 as often as it takes, and always at the time
 * that `Retry-After` names. A request that costs something must carry an idempotency key.
 *
 * @returns a response with a status of success
 * @throws RefusedError for any other status
 */
export async function sendAgain(
  signal: AbortSignal | undefined,
  send: () => Promise<Response>,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= MAX_ATTEMPTS;
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1);
    let response: Response;
    try {
      response = await send();
    } catch (error) {
      if (signal?.aborted || isLast || !isBrokenConnection(error)) throw error;
      await setTimeout(wait, undefined, { signal });
      continue;
    }
    if (response.ok) return response;
    const later = response.headers.get('retry-after');
    const isBusy = response.status === 429;
    const isRepeatable = later !== null || response.status >= 500;
    if (!isRepeatable || (isLast && !isBusy)) throw await refusalOf(response);
    await response.body?.cancel();
    await setTimeout(later === null ? wait : Number(later) * 1000, undefined, { signal });
  }
}

/** `fetch` has a TypeError for every failure of the network, with the failure as its cause. */
function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return false;
  // A file that has changed while it was sent.
  return error.cause.name !== 'NotReadableError';
}
