import { type ChunkCode, CODE_BYTES } from './chunk-code.ts';
import { PLANE_BYTES } from './encode-kernel.ts';

/** WebAssembly allocates memory in pages. */
export const PAGE_BYTES = 64 * 1024;
const SEGMENT_PAGES = 4;
export const SEGMENT_BYTES = SEGMENT_PAGES * PAGE_BYTES;
/**
 * How many segments to add to the memory at once: it takes a millisecond for any number of them. The
 * operating system allocates pages when they are first written.
 */
const GROWTH = 32;

/** The sign planes of so many codes are stored and scanned together, with their factors. */
export const BLOCK_CODES = 16;
const FACTORS_AT = BLOCK_CODES * PLANE_BYTES;
const BLOCK_BYTES = FACTORS_AT + BLOCK_CODES * Float32Array.BYTES_PER_ELEMENT;

/** A segment contains blocks, then the rest of each code. */
const SEGMENT_BLOCKS = Math.floor(SEGMENT_BYTES / (BLOCK_BYTES + BLOCK_CODES * CODE_BYTES));
export const SEGMENT_CODES = SEGMENT_BLOCKS * BLOCK_CODES;
const CODES_AT = SEGMENT_BLOCKS * BLOCK_BYTES;

/** Allocates segments for codes in the memory of WebAssembly, and writes codes into them. */
export function createCodeMemory(memory: WebAssembly.Memory) {
  const free: number[] = [];

  return {
    /** Allocates a segment and returns its address. */
    allocate(): number {
      if (free.length === 0) {
        const start = memory.grow(GROWTH * SEGMENT_PAGES) * PAGE_BYTES;
        for (let segment = GROWTH - 1; segment >= 0; segment--) {
          free.push(start + SEGMENT_BYTES * segment);
        }
      }
      return free.pop() as number;
    },

    release(segment: number): void {
      free.push(segment);
    },

    /**
     * Writes a code into a segment.
     *
     * @param before the number of codes that the segment already contains
     * @param factor converts a sum over the signs to an inner product
     */
    write(
      segment: number,
      before: number,
      stored: Pick<ChunkCode, 'signs' | 'code'>,
      factor: number,
    ): void {
      const block = new Uint8Array(memory.buffer, blockAddress(segment, before), BLOCK_BYTES);
      const at = before % BLOCK_CODES;
      for (let byte = 0; byte < PLANE_BYTES; byte++) {
        block[BLOCK_CODES * byte + at] = stored.signs[byte] as number;
      }
      new Float32Array(memory.buffer, block.byteOffset + FACTORS_AT, BLOCK_CODES)[at] = factor;
      new Uint8Array(memory.buffer, codeAddress(segment, before), CODE_BYTES).set(stored.code);
    },

    blockAddress,
    codeAddress,
  };
}

/** The address of the block that contains a code of a segment. */
function blockAddress(segment: number, code: number): number {
  return segment + BLOCK_BYTES * Math.floor(code / BLOCK_CODES);
}

/** The address of the rest of a code of a segment. */
function codeAddress(segment: number, code: number): number {
  return segment + CODES_AT + CODE_BYTES * code;
}
