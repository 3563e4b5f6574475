import { LRUCache } from 'lru-cache';
import { createPlaceSet, type PlaceSet } from './place-set.ts';

/** The size of the cache, in bytes per chunk of the dataset: room for 64 filters at least. */
const BYTES_A_CHUNK = 8;

/** Caches the places of the chunks that pass recent filters, for one version of a dataset. */
export function createFilterCache() {
  let chunks = 0;
  let cache: LRUCache<string, PlaceSet> | undefined;

  return {
    get bytes() {
      return BYTES_A_CHUNK * chunks;
    },

    /** Counts the next chunk. Must not be called after `remember`. */
    add(): void {
      chunks++;
    },

    /**
     * What `find` returns, or returned before for the same name. Only places are cached, which must
     * be in ascending order.
     */
    async remember<Found extends Uint32Array | string>(
      name: string,
      find: () => Promise<Found>,
    ): Promise<Found | Uint32Array> {
      cache ??= new LRUCache({ maxSize: BYTES_A_CHUNK * chunks, sizeCalculation });
      const known = cache.get(name);
      if (known) return known.places();
      const found = await find();
      if (typeof found !== 'string') cache.set(name, createPlaceSet(found, chunks));
      return found;
    },
  };
}

/** The cache does not allow a size of zero. */
function sizeCalculation({ byteLength }: PlaceSet): number {
  return byteLength + 1;
}
