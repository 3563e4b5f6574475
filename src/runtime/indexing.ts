import { setTimeout } from 'node:timers/promises';
import type { ChunkIndex } from '../ports/chunk-index.ts';
import type { Log } from '../ports/log.ts';

/** Gateways of an earlier version may go on adding chunks for a while. */
const AGAIN_MS = 60 * 60_000;
const AFTER_FAILURE_MS = 60_000;

/** Completes the index now and every hour. @returns the end of it, which waits for what runs */
export function keepIndexed({ complete }: Pick<ChunkIndex, 'complete'>, log: Log) {
  const ending = new AbortController();
  const { signal } = ending;
  const running = run();
  return (): Promise<void> => {
    ending.abort();
    return running;
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const wait = await complete(signal).then(
        (chunks) => {
          if (chunks > 0) log.info({ chunks }, 'indexed chunks of an earlier version');
          return AGAIN_MS;
        },
        (err: unknown) => {
          if (!signal.aborted) log.error({ err }, 'indexing chunks of an earlier version failed');
          return AFTER_FAILURE_MS;
        },
      );
      await setTimeout(wait, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
