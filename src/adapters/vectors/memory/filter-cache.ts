import { LRUCache } from 'lru-cache';

/** The size of the cache, in bytes per chunk of the dataset. */
const BYTES_A_CHUNK = 8;

/** Caches the places of the chunks that pass recent filters, for one version of a dataset. */
export function createFilterCache() {
  let chunks = 0;
  let cache: LRUCache<string, Uint32Array> | undefined;

  return {
    get bytes() {
      return BYTES_A_CHUNK * chunks;
    },

    /** Counts the next chunk. Must not be called after `remember`. */
    add(): void {
      chunks++;
    },

    /** What `find` returns, or returned before for the same name. Only places are cached. */
    async remember<Found extends Uint32Array | string>(
      name: string,
      find: () => Promise<Found>,
    ): Promise<Found | Uint32Array> {
      cache ??= new LRUCache({ maxSize: BYTES_A_CHUNK * chunks, sizeCalculation });
      const known = cache.get(name);
      if (known) return known;
      const found = await find();
      if (typeof found !== 'string') cache.set(name, found);
      return found;
    },
  };
}

/** The cache does not allow a size of zero. */
function sizeCalculation({ byteLength }: Uint32Array): number {
  return byteLength + 1;
}
