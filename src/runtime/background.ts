import { setTimeout } from 'node:timers/promises';
import type { ChunkIndex } from '../ports/chunk-index.ts';
import type { Log } from '../ports/log.ts';
import type { Maintenance } from '../use-cases/maintenance/maintenance.ts';

const SWEEP_MS = 5 * 60_000;
/** Gateways of an earlier version may go on adding chunks for a while. */
const INDEX_MS = 60 * 60_000;
const INDEX_AFTER_FAILURE_MS = 60_000;

export interface BackgroundWork {
  sweep: Maintenance['sweep'];
  /** Removes uploads whose request is gone from the disk. */
  clearSpool: () => Promise<void>;
  index: Pick<ChunkIndex, 'complete'>;
}

/**
 * Starts what a gateway does beside requests: it sweeps, and completes the index of chunks that an
 * earlier version stored.
 *
 * @returns a function that ends it, and waits for what runs
 */
export function startBackgroundWork(
  { sweep, clearSpool, index }: BackgroundWork,
  log: Log,
): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const running = [
    repeat(async () => {
      await sweepOnce();
      return SWEEP_MS;
    }),
    repeat(completeIndex),
  ];
  return async () => {
    ending.abort();
    await Promise.all(running);
  };

  /** Runs work again and again, one after the other. The work returns the pause, in milliseconds. */
  async function repeat(work: () => Promise<number>): Promise<void> {
    while (!signal.aborted) {
      await setTimeout(await work(), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async function sweepOnce(): Promise<void> {
    try {
      const [swept] = await Promise.all([sweep(), clearSpool()]);
      if (swept.removed + swept.failed > 0) log.info(swept, 'swept');
    } catch (err) {
      log.error({ err }, 'sweeping failed');
    }
  }

  async function completeIndex(): Promise<number> {
    try {
      const chunks = await index.complete(signal);
      if (chunks > 0) log.info({ chunks }, 'indexed chunks of an earlier version');
      return INDEX_MS;
    } catch (err) {
      if (!signal.aborted) log.error({ err }, 'indexing chunks of an earlier version failed');
      return INDEX_AFTER_FAILURE_MS;
    }
  }
}
