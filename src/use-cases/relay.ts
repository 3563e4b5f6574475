/**
 * Forwards results as they are produced. The work continues if the consumer stops.
 *
 * @param start starts the work, which emits results and returns all of them at its end; those that
 *   were not emitted follow then
 * @param signal ends the relay, not the work
 */
export async function* relay<R>(
  start: (emit: (result: R) => void) => Promise<R[]>,
  signal: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  const emitted: R[] = [];
  let wake = () => {};
  const all = start((result) => {
    emitted.push(result);
    wake();
  });
  const ended = all.then(() => true);
  // The consumer may have stopped by then.
  ended.catch(() => {});
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    let count = 0;
    for (;;) {
      for (; count < emitted.length; count++) yield emitted[count] as R;
      signal.throwIfAborted();
      const more = new Promise<false>((resolve) => {
        wake = () => resolve(false);
      });
      if (await Promise.race([ended, more])) break;
    }
    yield* (await all).slice(count);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
