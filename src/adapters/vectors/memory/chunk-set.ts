import { BLOCK_CODES } from '../codes/code-memory.ts';

/**
 * Some of a dataset's chunks, by their indexes: a number for each block of codes, and a bit for each
 * chunk, the first in the lowest bit.
 */
export type ChunkSet = Uint16Array;

/** An empty set. */
export function createChunkSet(chunks: number): ChunkSet {
  return new Uint16Array(Math.ceil(chunks / BLOCK_CODES));
}

/** The set of all chunks. */
export function allChunks(chunks: number): ChunkSet {
  const set = createChunkSet(chunks).fill(0xffff);
  const rest = chunks % BLOCK_CODES;
  if (rest > 0) set[set.length - 1] = 2 ** rest - 1;
  return set;
}

export function addChunk(set: ChunkSet, place: number): void {
  set[place >>> 4] = (set[place >>> 4] as number) | (1 << (place & 15));
}

export function hasChunk(set: ChunkSet, place: number): boolean {
  return (((set[place >>> 4] as number) >>> (place & 15)) & 1) === 1;
}

/** How many chunks are in a set. */
export function countChunks(set: ChunkSet): number {
  let count = 0;
  // Adds up the bits of each number in pairs, then the pairs, and so on: a loop over all bits would
  // take as long as a search.
  for (let at = 0; at < set.length; at++) {
    let bits = set[at] as number;
    bits -= (bits >> 1) & 0x5555;
    bits = (bits & 0x3333) + ((bits >> 2) & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    count += (bits + (bits >> 8)) & 0x1f;
  }
  return count;
}
