import { LRUCache } from 'lru-cache';
import type { DatasetScope } from '../dataset-filter.ts';

/** The cached content of one dataset. */
export interface CachedContent {
  /** Memory used, in bytes. */
  bytes(): number;
  /** Releases the memory. The content must not be used afterwards. */
  free(): void;
}

/** Loads the content of datasets. */
export interface DatasetSource<Content extends CachedContent> {
  /** The approximate memory for a dataset with `chunkCount` chunks, in bytes. */
  bytesFor(chunkCount: number): number;
  /**
   * Reads a dataset in one snapshot.
   *
   * @returns nothing if there is nothing to cache
   */
  read(scope: DatasetScope): Promise<{ version: string; content: Content } | undefined>;
}

export interface DatasetCacheOptions {
  /** The maximum memory for all datasets, in bytes. */
  bytes: number;
  /** Milliseconds without a search before a dataset may be evicted for another. Default: 60,000. */
  idle?: number | undefined;
}

/** The pause before a dataset is read again, as a multiple of the time that reading it took. */
const PAUSE_FACTOR = 20;

interface Entry<Content> {
  content: Content;
  version: string;
  /** How many searches are using it. Dropped content is freed by the last of them. */
  users: number;
  /** The time of the last search, by `performance.now()`. */
  used: number;
}

/** The cached content of a dataset. It stays valid until this is disposed of. */
export interface CachedDataset<Content> extends Disposable {
  content: Content;
  /** The dataset's version when it was read. */
  version: string;
  /** Removes outdated content from the cache. */
  drop(): void;
}

/**
 * Caches the datasets that are searched. Cached content is never updated. A dataset's row changes
 * in the same transaction as its chunks, so its version tells whether the content is still current.
 * A dataset that has changed is read again in the background at its next search.
 */
export function createDatasetCache<Content extends CachedContent>(
  { bytesFor, read }: DatasetSource<Content>,
  { bytes, idle = 60_000 }: DatasetCacheOptions,
) {
  /** In order of use, least recently used first. */
  const entries = new Map<string, Entry<Content>>();
  /** How often a dataset was looked up, by what was found. */
  const lookups = { found: 0, missing: 0, outdated: 0 };
  const pausing = new LRUCache<string, true>({ max: 1_000 });
  let reading: Promise<void> | undefined;

  return {
    has,

    acquire(scope: DatasetScope): CachedDataset<Content> | undefined {
      const name = nameOf(scope);
      const entry = has(scope) && entries.get(name);
      if (!entry) {
        lookups.missing++;
        return undefined;
      }
      entries.delete(name);
      entries.set(name, entry);
      entry.users++;
      entry.used = performance.now();
      let result: 'found' | 'outdated' = 'found';
      return {
        content: entry.content,
        version: entry.version,
        drop() {
          result = 'outdated';
          drop(name, entry);
        },
        [Symbol.dispose]() {
          lookups[result]++;
          entry.users--;
          if (entries.get(name) !== entry) free(entry);
        },
      };
    },

    /** The memory used, its limit, the number of datasets, and of lookups by what they found. */
    usage: () => ({ bytes: takenBytes(), limitBytes: bytes, datasets: entries.size, lookups }),

    /** Resolves when no dataset is being read. */
    waitForReads: async (): Promise<void> => reading,
  };

  /**
   * Whether a dataset is cached. If not, reading starts in the background, provided that there is
   * room.
   */
  function has(scope: DatasetScope): boolean {
    if (entries.has(nameOf(scope))) return true;
    reading ??= load(scope).finally(() => {
      reading = undefined;
    });
    return false;
  }

  /** Never fails. */
  async function load(scope: DatasetScope): Promise<void> {
    const name = nameOf(scope);
    if (pausing.has(name) || !makeRoom(bytesFor(scope.chunkCount ?? 0))) return;
    const start = performance.now();
    try {
      const found = await read(scope);
      if (found) entries.set(name, { ...found, users: 0, used: start });
    } catch {
      // Searches work without the cache, and report any failure of the database themselves.
    } finally {
      pausing.set(name, true, { ttl: Math.ceil(PAUSE_FACTOR * (performance.now() - start)) });
    }
  }

  /** Evicts datasets only if that is enough. */
  function makeRoom(needed: number): boolean {
    let taken = takenBytes();
    const evicted: [string, Entry<Content>][] = [];
    for (const [name, entry] of entries) {
      if (taken + needed <= bytes || performance.now() - entry.used < idle) break;
      taken -= entry.content.bytes();
      evicted.push([name, entry]);
    }
    if (taken + needed > bytes) return false;
    for (const [name, entry] of evicted) drop(name, entry);
    return true;
  }

  function takenBytes(): number {
    let taken = 0;
    for (const { content } of entries.values()) taken += content.bytes();
    return taken;
  }

  function drop(name: string, entry: Entry<Content>): void {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    free(entry);
  }

  function free({ content, users }: Entry<Content>): void {
    if (users === 0) content.free();
  }
}

function nameOf({ customerKey, datasetKey }: DatasetScope): string {
  return `${customerKey}/${datasetKey}`;
}
