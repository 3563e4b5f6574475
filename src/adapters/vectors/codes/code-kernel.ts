import { readFileSync } from 'node:fs';
import type { CodeQuestion } from './code-question.ts';
import { PLANE_BYTES, PLANES } from './encode-kernel.ts';

/** WebAssembly allocates memory in pages. */
const PAGE_BYTES = 64 * 1024;
export const SEGMENT_BYTES = PLANES * PAGE_BYTES;

/** The sign planes of so many codes are stored and scanned together, with their factors. */
export const BLOCK_CODES = 16;
const FACTORS_AT = BLOCK_CODES * PLANE_BYTES;
const BLOCK_BYTES = FACTORS_AT + BLOCK_CODES * Float32Array.BYTES_PER_ELEMENT;

/** A segment contains blocks, then the second planes of all their codes, the third and the fourth. */
const SEGMENT_BLOCKS = Math.floor(
  SEGMENT_BYTES / (BLOCK_BYTES + BLOCK_CODES * (PLANES - 1) * PLANE_BYTES),
);
export const SEGMENT_CODES = SEGMENT_BLOCKS * BLOCK_CODES;
const PLANES_AT = SEGMENT_BLOCKS * BLOCK_BYTES;

/** How many codes to compare in one call, which takes at most a seventh of a millisecond. */
export const BATCH = 4096;

/** The first page: the question, the list of addresses, and the results. */
const TABLE_AT = 0;
const QUESTION_AT = 6 * 1024;
const ADDRESSES_AT = 8 * 1024;
const SUMS_AT = ADDRESSES_AT + 4 * BATCH;
const PASSING_AT = SUMS_AT + 4 * BATCH;
const HIGHEST_AT = PASSING_AT + 2 * BATCH;

interface Kernel {
  scan(
    addresses: number,
    passing: number,
    count: number,
    table: number,
    zero: number,
    factor: number,
    sums: number,
    highest: number,
  ): void;
  compare(addresses: number, count: number, question: number, sums: number): void;
}

/** Allocates the memory for all codes in segments, and compares codes in WebAssembly. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const kernel = new WebAssembly.Instance(module, { host: { memory } }).exports as Kernel &
    WebAssembly.Exports;
  const free: number[] = [];

  return {
    /** Allocates a segment and returns its address. */
    lend: (): number => free.pop() ?? memory.grow(PLANES) * PAGE_BYTES,

    giveBack(segment: number): void {
      free.push(segment);
    },

    /**
     * Writes a code into a segment.
     *
     * @param before the number of codes that the segment already contains
     * @param planes highest bits first, at least `PLANE_BYTES` each; further bytes are ignored
     * @param factor converts a sum over the signs to an inner product
     */
    write(segment: number, before: number, [signs, ...others]: Uint8Array[], factor: number): void {
      const block = new Uint8Array(memory.buffer, blockAddress(segment, before), BLOCK_BYTES);
      const at = before % BLOCK_CODES;
      for (let byte = 0; byte < PLANE_BYTES; byte++) {
        block[BLOCK_CODES * byte + at] = signs?.[byte] as number;
      }
      new Float32Array(memory.buffer, block.byteOffset + FACTORS_AT, BLOCK_CODES)[at] = factor;
      for (const [plane, bytes] of others.entries()) {
        const address = planeAddress(segment, before, plane + 1);
        new Uint8Array(memory.buffer, address, PLANE_BYTES).set(bytes.subarray(0, PLANE_BYTES));
      }
    },

    blockAddress,
    planeAddress,

    /**
     * Compares the sign planes of whole blocks.
     *
     * @param addresses at most `BATCH / BLOCK_CODES` blocks
     * @param passing for each block, a bit for each of its codes: whether it is wanted
     * @param zero the sum whose estimate is 0
     * @returns for each code, the sum of the question's numbers whose bit is set, counted from
     *   `question.lowest`; for each block, the highest estimate of those that are
     *   wanted. The next call overwrites them
     */
    scan(
      addresses: Uint32Array,
      passing: Uint16Array,
      { table, factor }: CodeQuestion,
      zero: number,
    ) {
      const { length } = addresses;
      new Uint8Array(memory.buffer, TABLE_AT).set(table);
      new Uint32Array(memory.buffer, ADDRESSES_AT).set(addresses);
      new Uint16Array(memory.buffer, PASSING_AT).set(passing);
      kernel.scan(
        ADDRESSES_AT,
        PASSING_AT,
        length,
        TABLE_AT,
        zero,
        2 * factor,
        SUMS_AT,
        HIGHEST_AT,
      );
      return {
        sums: new Uint16Array(memory.buffer, SUMS_AT, BLOCK_CODES * length),
        highest: new Float32Array(memory.buffer, HIGHEST_AT, length),
      };
    },

    /**
     * Computes, for each code, the sum of the question's numbers whose bit is set in a plane.
     *
     * @param addresses at most `BATCH` planes, none of them of signs
     * @returns one sum per code; the next call overwrites them
     */
    compare(addresses: Uint32Array, { numbers }: CodeQuestion): Int32Array {
      new Int8Array(memory.buffer, QUESTION_AT).set(numbers);
      new Uint32Array(memory.buffer, ADDRESSES_AT).set(addresses);
      kernel.compare(ADDRESSES_AT, addresses.length, QUESTION_AT, SUMS_AT);
      return new Int32Array(memory.buffer, SUMS_AT, addresses.length);
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;

/** The address of the block that contains a code of a segment. */
function blockAddress(segment: number, code: number): number {
  return segment + BLOCK_BYTES * Math.floor(code / BLOCK_CODES);
}

/** @param plane 1, 2 or 3: those of the signs are in blocks */
function planeAddress(segment: number, code: number, plane: number): number {
  return segment + PLANES_AT + PLANE_BYTES * ((plane - 1) * SEGMENT_CODES + code);
}
