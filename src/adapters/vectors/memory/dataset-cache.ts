import { LRUCache } from 'lru-cache';
import type { DatasetScope } from '../dataset-filter.ts';

/** What is remembered of one dataset. */
export interface Remembered {
  /** How much memory it takes. */
  readonly bytes: number;
  /** Gives the memory back: it must not be used any more. */
  free(): void;
}

/** Where what is remembered comes from. */
export interface DatasetSource<Content extends Remembered> {
  /** How much memory a dataset with so many chunks takes, about. */
  bytesFor(chunkCount: number): number;
  /**
   * Reads a dataset in one snapshot.
   *
   * @returns nothing when there is nothing to remember
   */
  read(scope: DatasetScope): Promise<{ version: string; content: Content } | undefined>;
}

export interface DatasetCacheOptions {
  /** How much memory all datasets take at most. */
  bytes: number;
  /** Milliseconds for which a dataset must not have been asked to make way for another; 60,000 by default. */
  idle?: number | undefined;
}

/** A dataset that changes is read again after so many times as long as reading it took. */
const PAUSE = 20;

interface Entry<Content> {
  content: Content;
  version: string;
  /** How many searches have it; what is dropped is freed by the last of them. */
  borrowed: number;
  /** When it was asked for last. */
  used: number;
}

/** What is remembered of a dataset, for as long as it is not disposed of. */
export interface Borrowed<Content> extends Disposable {
  content: Content;
  /** What the dataset's row said of its last change. */
  version: string;
  /** For what turns out to be outdated: nobody gets it again. */
  drop(): void;
}

/**
 * Remembers the datasets that are asked. Nothing is kept up to date: a dataset's row changes with
 * its chunks, in the same transaction, so that its version tells whether what is remembered is
 * still true. What has changed is read again in the background when it is asked for.
 */
export function createDatasetCache<Content extends Remembered>(
  { bytesFor, read }: DatasetSource<Content>,
  { bytes, idle = 60_000 }: DatasetCacheOptions,
) {
  /** The one that was not asked for the longest time comes first. */
  const entries = new Map<string, Entry<Content>>();
  const pausing = new LRUCache<string, true>({ max: 1_000 });
  let reading: Promise<void> | undefined;

  return {
    has,

    borrow(scope: DatasetScope): Borrowed<Content> | undefined {
      const name = nameOf(scope);
      const entry = has(scope) && entries.get(name);
      if (!entry) return undefined;
      entries.delete(name);
      entries.set(name, entry);
      entry.borrowed++;
      entry.used = performance.now();
      return {
        content: entry.content,
        version: entry.version,
        drop: () => drop(name, entry),
        [Symbol.dispose]() {
          entry.borrowed--;
          if (entries.get(name) !== entry) free(entry);
        },
      };
    },

    /** How much memory is taken, how much may be, and by how many datasets. */
    usage: () => ({ bytes: takenBytes(), limitBytes: bytes, datasets: entries.size }),

    /** Resolves when nothing is being read. */
    settled: async (): Promise<void> => reading,
  };

  /** Whether a dataset is remembered; if not, it is read, should there be room. */
  function has(scope: DatasetScope): boolean {
    if (entries.has(nameOf(scope))) return true;
    reading ??= remember(scope).finally(() => {
      reading = undefined;
    });
    return false;
  }

  /** Never fails. */
  async function remember(scope: DatasetScope): Promise<void> {
    const name = nameOf(scope);
    if (pausing.has(name) || !makeRoom(bytesFor(scope.chunkCount ?? 0))) return;
    const start = performance.now();
    try {
      const found = await read(scope);
      if (found) entries.set(name, { ...found, borrowed: 0, used: start });
    } catch {
      // Searches do without, and say what is wrong with the database if it is.
    } finally {
      pausing.set(name, true, { ttl: Math.ceil(PAUSE * (performance.now() - start)) });
    }
  }

  function makeRoom(needed: number): boolean {
    let taken = takenBytes();
    for (const [name, entry] of entries) {
      if (taken + needed <= bytes || performance.now() - entry.used < idle) break;
      taken -= entry.content.bytes;
      drop(name, entry);
    }
    return taken + needed <= bytes;
  }

  function takenBytes(): number {
    let taken = 0;
    for (const { content } of entries.values()) taken += content.bytes;
    return taken;
  }

  function drop(name: string, entry: Entry<Content>): void {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    free(entry);
  }

  function free({ content, borrowed }: Entry<Content>): void {
    if (borrowed === 0) content.free();
  }
}

function nameOf({ customerKey, datasetKey }: DatasetScope): string {
  return `${customerKey}/${datasetKey}`;
}
