/** How long a check waits, in milliseconds. */
export const CHECK_MS = 10_000;

/** A model that took longer than anybody should wait. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor(milliseconds: number) {
    super(`it kept silent for ${milliseconds / 1000} seconds`);
  }
}

/**
 * Aborts its signal when a silence lasts too long, or the other signal is. Time that the reader
 * takes is no silence. An answer has a silence before each of its pieces, so one timer serves them
 * all, and no `AbortSignal.any`, which is slow to ask.
 */
export function limitSilence(milliseconds: number, signal: AbortSignal) {
  const limit = new AbortController();
  const follow = () => limit.abort(signal.reason);
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow, { once: true });
  let silent = false;
  const timer = setTimeout(() => {
    if (silent) limit.abort(new SilenceError(milliseconds));
  }, milliseconds);
  return {
    signal: limit.signal,
    begin() {
      silent = true;
      timer.refresh();
    },
    end() {
      silent = false;
    },
    /** Nothing is waited for any longer. */
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    },
  };
}
