import { type FSWatcher, watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';

/* In milliseconds. */
/** Changes come in bursts: they are reported when there was none for this time. */
const QUIET = 500;
/** A file may never stop changing. */
const LONGEST_CROWD = 5_000;
const CHECK_INTERVAL = 50;

/**
 * Elsewhere Node.js would watch each file, not tell which it could not watch, and lose sight of a file that
 * another has replaced.
 */
const HAS_RECURSION = process.platform === 'darwin' || process.platform === 'win32';

/** Collects the changes below a folder, from when `follow` was called for it and the folders below it. */
export function watchChanges(folder: string, stopping: AbortSignal) {
  let first: number | undefined;
  let last = 0;
  let failure: ConfigurationError | undefined;
  let current: FSWatcher[] = [];
  let followed: FSWatcher[] = [];
  if (HAS_RECURSION) current.push(start(folder, true));
  return {
    /**
     * Watches the files in a folder, which need not be `folder` itself. A folder may have taken the place of
     * another with its name, so every look at the folders calls it for all of them, before it reads them.
     *
     * @throws ConfigurationError when it cannot be watched, although it can be read
     */
    follow(path: string): void {
      if (HAS_RECURSION) return;
      try {
        followed.push(start(path, false));
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        // The look reports it. When it can be read, the folder above it changes.
        if (!['EACCES', 'ENOENT', 'ENOTDIR'].includes(code)) throw cannotBeWatched(error);
      }
    },

    /** Ends a look: folders that it did not follow are no longer watched. */
    release(): void {
      if (HAS_RECURSION) return;
      closeAll(current);
      current = followed;
      followed = [];
    },

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
    [Symbol.dispose]: () => closeAll([...current, ...followed]),
  };

  function start(path: string, recursive: boolean): FSWatcher {
    const watcher = watch(path, { recursive }, () => {
      last = performance.now();
      first ??= last;
    });
    return watcher.on('error', (error) => {
      failure = cannotBeWatched(error);
    });
  }

  function cannotBeWatched(error: unknown): ConfigurationError {
    return new ConfigurationError(`${folder}: cannot be watched: ${reasonOf(error)}`);
  }
}

function closeAll(watchers: FSWatcher[]): void {
  for (const watcher of watchers) watcher.close();
}
