import { BLOCK_CODES } from '../codes/code-memory.ts';

/** The output of a scan: for each number of a `ChunkSet` that it reads, and for each of their chunks. */
export interface ScanBuffers {
  numbers: Uint32Array;
  passing: Uint16Array;
  highest: Float32Array;
  sums: Uint16Array;
}

/** Further concurrent searches get new ones. */
const MOST_KEPT = 2;

/**
 * A pool of buffers, each for one search at a time. New ones for each search would be garbage outside of
 * the heap, which V8 collects in pauses longer than most searches.
 */
export function createScanBuffers() {
  const kept: ScanBuffers[] = [];

  return {
    /** @param size numbers of a `ChunkSet` */
    acquire(size: number): ScanBuffers {
      const buffers = kept.pop();
      return buffers && buffers.numbers.length >= size ? buffers : newBuffers(size);
    },

    release(buffers: ScanBuffers): void {
      if (kept.length < MOST_KEPT) kept.push(buffers);
    },

    bytes: (): number =>
      kept
        .flatMap((buffers) => Object.values(buffers))
        .reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}

function newBuffers(size: number): ScanBuffers {
  return {
    numbers: new Uint32Array(size),
    passing: new Uint16Array(size),
    highest: new Float32Array(size),
    sums: new Uint16Array(BLOCK_CODES * size),
  };
}
