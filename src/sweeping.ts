import type { Log } from './log.ts';
import type { UseCases } from './use-cases/index.ts';

/** Sweeps follow each other after this. */
const SWEEP_MS = 5 * 60_000;

/** Sweeps now and every few minutes. @returns the end of it, which waits for a sweep that runs */
export function keepSweeping(sweep: UseCases['sweep'], log: Log): () => Promise<void> {
  let running = Promise.resolve();
  const run = () => {
    running = sweep().then(
      (swept) => {
        if (swept.removed + swept.failed > 0) log.info(swept, 'swept');
      },
      (err: unknown) => log.error({ err }, 'sweeping failed'),
    );
  };
  run();
  const timer = setInterval(run, SWEEP_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
