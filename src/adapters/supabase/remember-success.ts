/**
 * A check that runs once for all who ask meanwhile, and not again for a while after it passed.
 *
 * @param ms how long that is good for
 */
export function rememberSuccess(check: () => Promise<void>, ms: number): () => Promise<void> {
  let latest: Promise<void> | undefined;
  const forget = () => {
    latest = undefined;
  };
  return () => {
    if (!latest) {
      latest = check();
      latest.then(() => setTimeout(forget, ms).unref(), forget);
    }
    return latest;
  };
}
