import type { Log } from '../ports/log.ts';
import type { UseCases } from '../use-cases/index.ts';

const SWEEP_MS = 5 * 60_000;

/**
 * Sweeps now and every few minutes, one sweep after the other.
 *
 * @param clear removes what is left outside the database and the storage
 * @returns the end of it, which waits for a sweep that runs
 */
export function keepSweeping(
  { sweep, clear }: { sweep: UseCases['sweep']; clear: () => Promise<void> },
  log: Log,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= Promise.all([sweep(), clear()])
      .then(
        ([swept]) => {
          if (swept.removed + swept.failed > 0) log.info(swept, 'swept');
        },
        (err: unknown) => log.error({ err }, 'sweeping failed'),
      )
      .finally(() => {
        running = undefined;
      });
  };
  run();
  const timer = setInterval(run, SWEEP_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
