/** Proxies and clients may close a stream that is idle for longer than this. */
const KEEP_ALIVE_MS = 10_000;

/** The result, or `undefined` when a stream that waits for it is idle for too long; it can be awaited again. */
export async function orIdle<T>(coming: Promise<T>): Promise<T | undefined> {
  const { promise: idle, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS);
  try {
    return await Promise.race([coming, idle]);
  } finally {
    clearTimeout(timer);
  }
}
