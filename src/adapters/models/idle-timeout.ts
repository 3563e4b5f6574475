/** Milliseconds before a check of a model times out. */
export const CHECK_TIMEOUT_MS = 10_000;

/** A model that sent nothing for too long. */
export class IdleTimeoutError extends Error {
  override readonly name = 'IdleTimeoutError';

  constructor(milliseconds: number) {
    super(`it sent nothing for ${milliseconds / 1000} seconds`);
  }
}

/**
 * Aborts its signal when a wait for the model takes too long, or when `signal` is aborted. Time that
 * the reader takes between two pieces does not count. One timer serves all waits of an answer;
 * `AbortSignal.any` is not used because it is slow to query.
 *
 * @param milliseconds the longest that one wait may take
 */
export function startIdleTimeout(milliseconds: number, signal: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  let waiting = false;
  const timer = setTimeout(() => {
    if (waiting) controller.abort(new IdleTimeoutError(milliseconds));
  }, milliseconds);
  return {
    signal: controller.signal,
    /** The wait for the next piece begins. */
    wait() {
      waiting = true;
      timer.refresh();
    },
    /** A piece has arrived. */
    pause() {
      waiting = false;
    },
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}
