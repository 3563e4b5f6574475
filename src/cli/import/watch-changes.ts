import { watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';

/* In milliseconds. */
/** Changes come in bursts: they are reported when there was none for this time. */
const QUIET = 500;
/** A file may never stop changing. */
const LONGEST_CROWD = 5_000;
const CHECK_INTERVAL = 50;

/** Collects the changes below a folder, from now on. */
export function watchChanges(folder: string, stopping: AbortSignal) {
  let first: number | undefined;
  let last = 0;
  let failure: ConfigurationError | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    last = performance.now();
    first ??= last;
  });
  watcher.on('error', (error) => {
    failure = new ConfigurationError(`${folder}: cannot be watched: ${reasonOf(error)}`);
  });
  return {
    /**
     * Waits for changes since it was called last, or for a time in milliseconds.
     *
     * @throws ConfigurationError when the folder cannot be watched any longer
     */
    async next(atMost = Number.POSITIVE_INFINITY): Promise<void> {
      const until = performance.now() + atMost;
      while (!stopping.aborted) {
        if (failure) throw failure;
        const now = performance.now();
        if (
          first === undefined ? now >= until : now - last >= QUIET || now - first >= LONGEST_CROWD
        ) {
          break;
        }
        await setTimeout(CHECK_INTERVAL);
      }
      first = undefined;
    },
    [Symbol.dispose]: () => watcher.close(),
  };
}
