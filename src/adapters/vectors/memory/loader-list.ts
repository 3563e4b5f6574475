import { createGrowingList } from './growing-list.ts';
import type { Passing } from './term-lists.ts';

/**
 * The loader run that created each of a dataset's chunks. Used to exclude the chunks of pending
 * files.
 */
export function createLoaderList() {
  const numbers = new Map<string, number>();
  const places = createGrowingList(Uint32Array);

  return {
    get bytes() {
      return places.bytes;
    },

    /** Adds the loader run of the next chunk. */
    add(loaderKey: string): void {
      const number = numbers.get(loaderKey) ?? numbers.size;
      numbers.set(loaderKey, number);
      places.push(number);
    },

    /**
     * Tells which chunks are visible.
     *
     * @param hidden the loader runs of pending files
     * @param among the places of the chunks that pass a filter; default: all
     */
    passing(hidden: string[], among: Uint32Array | undefined): Passing {
      const isHidden = new Set(hidden.map((loaderKey) => numbers.get(loaderKey)));
      isHidden.delete(undefined);
      if (isHidden.size === 0 && !among) return undefined;
      const loaderNumbers = places.all();
      const passing = new Uint8Array(loaderNumbers.length).fill(among ? 0 : 1);
      for (const place of among ?? []) passing[place] = 1;
      if (isHidden.size === 0) return passing;
      return passing.map((passes, place) => (isHidden.has(loaderNumbers[place]) ? 0 : passes));
    },
  };
}
