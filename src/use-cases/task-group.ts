import pMap from 'p-map';

/**
 * Runs a task for every item with limited concurrency. The first failure aborts the signal of the
 * other tasks, and no further item is read; it is thrown when all tasks have ended.
 */
export async function runTaskGroup<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { concurrency, signal }: { concurrency: number; signal?: AbortSignal },
  task: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const groupSignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];

  const start = (item: T): Promise<void> => {
    const run = task(item, groupSignal)
      .catch((error: unknown) => {
        failures.push(error);
        stop.abort(error);
      })
      .finally(() => running.delete(run));
    running.add(run);
    return run;
  };
  try {
    await pMap(until(groupSignal, items), start, { concurrency });
  } catch (error) {
    failures.push(error);
    stop.abort(error);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  signal?.throwIfAborted();
}

/** The items that are read before the signal is aborted; their source is then ended. */
async function* until<T>(
  signal: AbortSignal,
  items: Iterable<T> | AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal.aborted) return;
    yield item;
  }
}
