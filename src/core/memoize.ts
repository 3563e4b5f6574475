/** Work that is done when it is first asked for, and once. */
export function memoize<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}
