import { inSlices } from './in-slices.ts';

/** How many words to read before other work on the event loop may run: up to a million places. */
const SLICE = 32_768;

/** Places of a dataset in little memory, in ascending order. */
export interface PlaceSet {
  byteLength: number;
  places(): Promise<Uint32Array>;
}

/**
 * Keeps places as they are, or one bit for each chunk of the dataset, whichever is smaller.
 *
 * @param places in ascending order; must not be changed
 * @param chunks how many chunks the dataset has
 */
export function createPlaceSet(places: Uint32Array, chunks: number): PlaceSet {
  const bits = new Uint32Array(Math.ceil(chunks / 32));
  const { byteLength, length } = places;
  if (byteLength <= bits.byteLength) return { byteLength, places: async () => places };
  for (const place of places) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
  return { byteLength: bits.byteLength, places: () => unpack(bits, length) };
}

async function unpack(bits: Uint32Array, length: number): Promise<Uint32Array> {
  const places = new Uint32Array(length);
  let count = 0;
  await inSlices(bits.length, SLICE, (from, to) => {
    for (let at = from; at < to; at++) {
      for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
        places[count++] = 32 * at + 31 - Math.clz32(word & -word);
      }
    }
  });
  return places;
}
