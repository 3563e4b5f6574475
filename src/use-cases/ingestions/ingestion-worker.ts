import { createAutoResetEvent } from '../auto-reset-event.ts';
import type { Dependencies } from '../dependencies.ts';
import type { IngestionLeases, LeasedIngestion } from './ingestion-leases.ts';

/** How often each gateway looks for ingestions of gateways that ended. */
const POLL_MS = 5000;

/**
 * Works on ingestions of all customers in the background, on a limited number at once.
 *
 * @param run works on one; does not reject
 * @param onEnd called after each
 */
export function createIngestionWorker(
  { ingestionsAtOnce, log }: Pick<Dependencies, 'ingestionsAtOnce' | 'log'>,
  leases: IngestionLeases,
  run: (leased: LeasedIngestion, stopping: AbortSignal) => Promise<void>,
  onEnd: () => void,
) {
  const wakeup = createAutoResetEvent();

  return {
    /** Tells that there is an ingestion to work on. */
    notice: wakeup.set,

    /** Works until the signal is aborted; then releases what is not complete. */
    async work(stopping: AbortSignal): Promise<void> {
      const running = new Set<Promise<void>>();
      while (!stopping.aborted) {
        await wakeup.wait(POLL_MS, stopping);
        while (running.size < ingestionsAtOnce && !stopping.aborted) {
          const leased = await leases.take().catch((err: unknown) => {
            log.warn({ err }, 'looking for ingestions failed');
          });
          if (!leased) break;
          const done = run(leased, stopping).finally(() => {
            running.delete(done);
            wakeup.set();
            onEnd();
          });
          running.add(done);
        }
      }
      await Promise.all(running);
    },
  };
}
