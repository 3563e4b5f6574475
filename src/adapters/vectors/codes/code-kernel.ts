import { readFileSync } from 'node:fs';
import { PLANE_BYTES, PLANES } from './chunk-code.ts';
import type { CodeQuestion } from './code-question.ts';

/** A page holds one plane of so many codes; a segment is a page for each plane. */
const PAGE_BYTES = 64 * 1024;
export const SEGMENT_BYTES = PLANES * PAGE_BYTES;
export const SEGMENT_CODES = Math.floor(PAGE_BYTES / PLANE_BYTES);

/** Codes that are compared at once: about a seventh of a millisecond. */
export const BATCH = 4096;

/** Where a question, the addresses of codes and their sums lie, in the first page. */
const QUESTION_AT = 0;
const ADDRESSES_AT = 2048;
const SUMS_AT = ADDRESSES_AT + 4 * BATCH;

/** The memory of all codes, in segments that are lent and given back, and what compares them. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const { compare } = new WebAssembly.Instance(module, { host: { memory } }).exports as {
    compare(addresses: number, count: number, offset: number, question: number, sums: number): void;
  };
  const free: number[] = [];

  return {
    /** Lends a segment: its address. */
    lend: (): number => free.pop() ?? memory.grow(PLANES) * PAGE_BYTES,

    giveBack(segment: number): void {
      free.push(segment);
    },

    /**
     * Writes a code after others of a segment.
     *
     * @param planes each of a plane's bytes or more, the plane of the highest bits first
     * @returns its address
     */
    write(segment: number, before: number, planes: Uint8Array[]): number {
      const address = segment + before * PLANE_BYTES;
      for (const [at, plane] of planes.entries()) {
        const bytes = plane.subarray(0, PLANE_BYTES);
        new Uint8Array(memory.buffer, address + at * PAGE_BYTES, PLANE_BYTES).set(bytes);
      }
      return address;
    },

    /**
     * For each of some codes, `BATCH` at most: the sum of those of a question's numbers whose bit
     * is set in a plane.
     *
     * @returns what the next call overwrites
     */
    compare(addresses: Uint32Array, plane: number, { numbers }: CodeQuestion): Int32Array {
      new Int8Array(memory.buffer, QUESTION_AT).set(numbers);
      new Uint32Array(memory.buffer, ADDRESSES_AT).set(addresses);
      compare(ADDRESSES_AT, addresses.length, plane * PAGE_BYTES, QUESTION_AT, SUMS_AT);
      return new Int32Array(memory.buffer, SUMS_AT, addresses.length);
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;
