/** Proxies and clients may close a stream that is idle for longer than this. */
export const KEEP_ALIVE_MS = 10_000;

/** The result, or `undefined` when a stream that waits for it is idle for too long; it can be awaited again. */
export function orIdle<T>(coming: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS);
    const clearTimerThen = <V>(give: (value: V) => void) => {
      return (value: V) => {
        clearTimeout(timer);
        give(value);
      };
    };
    coming.then(clearTimerThen(resolve), clearTimerThen(reject));
  });
}
