import { readFileSync } from 'node:fs';
import { BLOCK_CODES, createCodeMemory, PAGE_BYTES } from './code-memory.ts';
import type { CodeQuestion } from './code-question.ts';
import type { LowerBound } from './error-bound.ts';

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
  /** The index of the code among the addresses. */
  index: number;
  estimate: number;
  /** β² for the estimate. */
  error: number;
}

/** Codes in the memory of WebAssembly, which compares them with questions. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const kernel = new WebAssembly.Instance(module, { host: { memory } }).exports as Kernel &
    WebAssembly.Exports;

  return {
    ...createCodeMemory(memory),

    /**
     * Compares the sign planes of whole blocks.
     *
     * @param addresses at most `BATCH / BLOCK_CODES` blocks
     * @param passing for each block, a bit for each of its codes: whether it is wanted
     * @param zero the sum whose estimate is 0
     * @returns for each code, the sum of the question's numbers whose bit is set, counted from
     *   `question.tableOffset`; for each block, the highest estimate of those that are
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
     * The input of the next call of `refine`, to be written before the call.
     *
     * @param count at most `BATCH` codes
     * @returns the addresses of the codes, and for each, the sum of the question's numbers whose bit
     *   is set in the sign plane
     */
    refineInputs: (count: number) => ({
      addresses: new Uint32Array(memory.buffer, ADDRESSES_AT, count),
      sums: new Int32Array(memory.buffer, SUMS_AT, count),
    }),

    /** Finds the codes whose estimates by two and by all four planes are not below a bound. */
    refine(
      count: number,
      { numbers, sum, factor }: CodeQuestion,
      { highest, slope, constant }: LowerBound,
    ): RefinedEstimate[] {
      new Int8Array(memory.buffer, QUESTION_AT).set(numbers);
      const length = kernel.refine(
        ADDRESSES_AT,
        SUMS_AT,
        count,
        QUESTION_AT,
        sum,
        2 * factor,
        highest,
        slope,
        constant,
        FOUND_AT,
      );
      const found = new DataView(memory.buffer, FOUND_AT, FOUND.bytes * length);
      return Array.from({ length }, (_, at) => ({
        index: found.getUint32(FOUND.bytes * at + FOUND.index, true),
        estimate: found.getFloat64(FOUND.bytes * at + FOUND.estimate, true),
        error: found.getFloat32(FOUND.bytes * at + FOUND.error, true),
      }));
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;
