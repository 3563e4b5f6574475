import { readFileSync } from 'node:fs';
import type { LowerBound } from './certificate.ts';
import { type ChunkCode, CODE_BYTES } from './chunk-code.ts';
import type { CodeQuestion } from './code-question.ts';
import { PLANE_BYTES } from './encode-kernel.ts';

/** WebAssembly allocates memory in pages. */
const PAGE_BYTES = 64 * 1024;
const SEGMENT_PAGES = 4;
export const SEGMENT_BYTES = SEGMENT_PAGES * PAGE_BYTES;
/**
 * How many segments to add to the memory at once: it takes a millisecond, whatever their number. The
 * system provides pages when they are first written.
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

/** How many codes to compare in one call, which takes at most half a millisecond. */
export const BATCH = 4096;

/** The first two pages: the question, the list of addresses, and the results. */
const TABLE_AT = 0;
const QUESTION_AT = 6 * 1024;
const ADDRESSES_AT = 8 * 1024;
const SUMS_AT = ADDRESSES_AT + 4 * BATCH;
const PASSING_AT = SUMS_AT + 4 * BATCH;
const HIGHEST_AT = PASSING_AT + 2 * BATCH;
const FOUND_AT = PAGE_BYTES;
/** The bytes of a result of `refine`, and the places of its parts. */
const FOUND = { bytes: 16, index: 0, error: 4, estimate: 8 };

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
  refine(
    codes: number,
    sums: number,
    count: number,
    question: number,
    total: number,
    factor: number,
    highest: number,
    slope: number,
    constant: number,
    found: number,
  ): number;
}

/** The estimate of a code from all its planes. */
export interface RefinedEstimate {
  /** The index of the code in the list of addresses. */
  index: number;
  estimate: number;
  /** β² for the estimate. */
  error: number;
}

/** Allocates the memory for all codes in segments, and compares codes in WebAssembly. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const kernel = new WebAssembly.Instance(module, { host: { memory } }).exports as Kernel &
    WebAssembly.Exports;
  const free: number[] = [];

  return {
    /** Allocates a segment and returns its address. */
    lend(): number {
      if (free.length === 0) {
        const start = memory.grow(GROWTH * SEGMENT_PAGES) * PAGE_BYTES;
        for (let segment = GROWTH - 1; segment >= 0; segment--) {
          free.push(start + SEGMENT_BYTES * segment);
        }
      }
      return free.pop() as number;
    },

    giveBack(segment: number): void {
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
     * Finds the codes whose estimates by two and by all four planes are not below a bound.
     *
     * @param addresses at most `BATCH` codes
     * @param sums for each code, the sum of the question's numbers whose bit is set in the sign plane
     */
    refine(
      addresses: Uint32Array,
      sums: Int32Array,
      { numbers, sum, factor }: CodeQuestion,
      { highest, slope, constant }: LowerBound,
    ): RefinedEstimate[] {
      new Int8Array(memory.buffer, QUESTION_AT).set(numbers);
      new Uint32Array(memory.buffer, ADDRESSES_AT).set(addresses);
      new Int32Array(memory.buffer, SUMS_AT).set(sums);
      const count = kernel.refine(
        ADDRESSES_AT,
        SUMS_AT,
        addresses.length,
        QUESTION_AT,
        sum,
        2 * factor,
        highest,
        slope,
        constant,
        FOUND_AT,
      );
      const found = new DataView(memory.buffer, FOUND_AT, FOUND.bytes * count);
      return Array.from({ length: count }, (_, at) => ({
        index: found.getUint32(FOUND.bytes * at + FOUND.index, true),
        estimate: found.getFloat64(FOUND.bytes * at + FOUND.estimate, true),
        error: found.getFloat32(FOUND.bytes * at + FOUND.error, true),
      }));
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;

/** The address of the block that contains a code of a segment. */
function blockAddress(segment: number, code: number): number {
  return segment + BLOCK_BYTES * Math.floor(code / BLOCK_CODES);
}

/** The address of the rest of a code of a segment. */
function codeAddress(segment: number, code: number): number {
  return segment + CODES_AT + CODE_BYTES * code;
}
