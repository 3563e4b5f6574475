import { createGrowingList } from './growing-list.ts';
import type { Passing } from './term-lists.ts';

/** Which loader run made each of a dataset's chunks: those of a file on its way do not count. */
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
     * Which chunks count.
     *
     * @param hidden the loader runs of files on their way
     * @param among the places of chunks that pass a filter; all of them unless given
     */
    passing(hidden: string[], among: Uint32Array | undefined): Passing {
      const isHidden = new Set(hidden.map((loaderKey) => numbers.get(loaderKey)));
      isHidden.delete(undefined);
      if (isHidden.size === 0 && !among) return undefined;
      const made = places.all();
      const passing = new Uint8Array(made.length).fill(among ? 0 : 1);
      for (const place of among ?? []) passing[place] = 1;
      if (isHidden.size === 0) return passing;
      return passing.map((passes, place) => (isHidden.has(made[place]) ? 0 : passes));
    },
  };
}
