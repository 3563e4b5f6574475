/**
 * A check that runs once for all who ask meanwhile, and is not repeated for a while after it passed.
 *
 * @param ms how long that is good for
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
