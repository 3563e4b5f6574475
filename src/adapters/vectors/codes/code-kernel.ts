import { readFileSync } from 'node:fs';
import { PLANE_BYTES } from './chunk-code.ts';
import type { CodeQuestion } from './code-question.ts';

/** Bytes of half a code: two bits of each number. */
const HALF_BYTES = 2 * PLANE_BYTES;

/** A page of memory, and the halves that lie in it. */
export const SEGMENT_BYTES = 64 * 1024;
export const SEGMENT_HALVES = Math.floor(SEGMENT_BYTES / HALF_BYTES);

/** Halves that are compared at once: about a fifth of a millisecond. */
export const BATCH = 4096;

/** Where a question, the addresses of halves and their sums lie, in the first page. */
const QUESTION_AT = 0;
const ADDRESSES_AT = 2048;
const SUMS_AT = ADDRESSES_AT + 4 * BATCH;

/** Of each byte of a plane: its eight bits, each in two bits of its own, the first one lowest. */
const SPREAD = Uint16Array.from({ length: 256 }, (_, byte) => {
  let spread = 0;
  for (let at = 0; at < 8; at++) spread |= ((byte >> (7 - at)) & 1) << (2 * at);
  return spread;
});

/** The memory of all codes, in segments that are lent and given back, and what compares them. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const { compare } = new WebAssembly.Instance(module, { host: { memory } }).exports as {
    compare(addresses: number, count: number, question: number, sums: number): void;
  };
  const free: number[] = [];

  return {
    /** Lends a segment: its address. */
    lend: (): number => free.pop() ?? memory.grow(1) * SEGMENT_BYTES,

    giveBack(segment: number): void {
      free.push(segment);
    },

    /** Writes the half of a code that two planes of bits make, the higher one first, after others of a segment. */
    write(segment: number, before: number, higher: Uint8Array, lower: Uint8Array): number {
      const address = segment + before * HALF_BYTES;
      const half = new Uint16Array(memory.buffer, address, PLANE_BYTES);
      for (let at = 0; at < PLANE_BYTES; at++) {
        const spread = SPREAD[higher[at] as number] as number;
        half[at] = (spread << 1) | (SPREAD[lower[at] as number] as number);
      }
      return address;
    },

    /**
     * For each of some halves, `BATCH` at most: the sum of the products of its numbers, each from 0
     * to 3, with those of a question.
     *
     * @returns what the next call overwrites
     */
    compare(addresses: Uint32Array, { numbers }: CodeQuestion): Int32Array {
      new Int8Array(memory.buffer, QUESTION_AT).set(numbers);
      new Uint32Array(memory.buffer, ADDRESSES_AT).set(addresses);
      compare(ADDRESSES_AT, addresses.length, QUESTION_AT, SUMS_AT);
      return new Int32Array(memory.buffer, SUMS_AT, addresses.length);
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;
