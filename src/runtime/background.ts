import { setTimeout } from 'node:timers/promises';
import type { ChunkIndex } from '../ports/chunk-index.ts';
import type { Log } from '../ports/log.ts';
import type { Maintenance } from '../use-cases/maintenance/maintenance.ts';

const SWEEP_MS = 5 * 60_000;
/** Repeated, because gateways of an earlier version may still add chunks. */
const INDEX_MS = 60 * 60_000;
const INDEX_AFTER_FAILURE_MS = 60_000;

export interface BackgroundWork {
  sweep: Maintenance['sweep'];
  /** Deletes temporary files of uploads whose request has ended. */
  clearSpool: () => Promise<void>;
  index: Pick<ChunkIndex, 'complete'>;
  /** Works on asynchronous uploads until the signal is aborted. */
  ingest: (signal: AbortSignal) => Promise<void>;
}

/**
 * Starts the background work of a gateway: it sweeps, works on asynchronous uploads, and
 * indexes chunks that an earlier version has stored.
 *
 * @returns a function that stops it, and waits for running work
 */
export function startBackgroundWork(
  { sweep, clearSpool, index, ingest }: BackgroundWork,
  log: Log,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = [
    repeat(async () => {
      await sweepOnce();
      return SWEEP_MS;
    }),
    repeat(completeIndex),
    ingest(signal),
  ];
  return async () => {
    stopping.abort();
    await Promise.all(running);
  };

  /** Repeats work until it is stopped. The work returns the milliseconds until the next run. */
  async function repeat(work: () => Promise<number>): Promise<void> {
    while (!signal.aborted) {
      await setTimeout(await work(), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async function sweepOnce(): Promise<void> {
    try {
      const [swept] = await Promise.all([sweep(signal), clearSpool()]);
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
