/** How long a check waits, in milliseconds. */
export const CHECK_MS = 10_000;

/** A model that took longer than anybody should wait. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor(milliseconds: number) {
    super(`it kept silent for ${milliseconds / 1000} seconds`);
  }
}

/** Aborts its signal when a silence lasts too long. Time that the reader takes is no silence. */
export function limitSilence(milliseconds: number) {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(timer);
  return {
    signal: limit.signal,
    begin() {
      end();
      timer = setTimeout(() => limit.abort(new SilenceError(milliseconds)), milliseconds);
    },
    end,
  };
}
