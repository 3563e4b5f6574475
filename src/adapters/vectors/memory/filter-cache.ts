import { LRUCache } from 'lru-cache';
import type { ChunkSet } from './chunk-set.ts';

/** How many filters to cache; a set takes one bit for each chunk of the dataset. */
const FILTERS = 64;

/** Caches the sets of chunks that pass recent filters, for one version of a dataset. */
export function createFilterCache() {
  let chunks = 0;
  const cache = new LRUCache<string, ChunkSet>({ max: FILTERS });

  return {
    /** If all sets are there. */
    bytes: (): number => (FILTERS / 8) * chunks,

    /** Counts the next chunk. */
    add(): void {
      chunks++;
    },

    /** What `find` returns, or returned before for the same name. Only sets are cached. */
    async getOrFind<Found extends ChunkSet | string>(
      name: string,
      find: () => Promise<Found>,
    ): Promise<Found | ChunkSet> {
      const known = cache.get(name);
      if (known) return known;
      const found = await find();
      if (typeof found !== 'string') cache.set(name, found);
      return found;
    },
  };
}
