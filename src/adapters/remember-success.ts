/**
 * A check that concurrent callers share, and that is not repeated for a while after it succeeded.
 *
 * @param ms milliseconds for which a success is remembered
 */
export function rememberSuccess(check: () => Promise<void>, ms: number): () => Promise<void> {
  let running: Promise<void> | undefined;
  let goodUntil = 0;
  return async () => {
    if (performance.now() < goodUntil) return;
    running ??= check().finally(() => {
      running = undefined;
    });
    await running;
    goodUntil = performance.now() + ms;
  };
}
