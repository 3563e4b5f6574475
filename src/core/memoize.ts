/** Calls `work` on the first call only; later calls return the same result. */
export function memoize<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}
