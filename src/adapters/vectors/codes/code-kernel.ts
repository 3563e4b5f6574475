import { readFileSync } from 'node:fs';
import type { CodeQuestion } from './code-question.ts';
import { PLANE_BYTES, PLANES } from './encode-kernel.ts';

/** A page contains one plane of `SEGMENT_CODES` codes. A segment is one page for each plane. */
const PAGE_BYTES = 64 * 1024;
export const SEGMENT_BYTES = PLANES * PAGE_BYTES;
export const SEGMENT_CODES = Math.floor(PAGE_BYTES / PLANE_BYTES);

/** How many codes to compare in one call, which takes about a seventh of a millisecond. */
export const BATCH = 4096;

/** The addresses of the question, the list of codes and the sums, in the first page. */
const QUESTION_AT = 0;
const ADDRESSES_AT = 2048;
const SUMS_AT = ADDRESSES_AT + 4 * BATCH;

/** Allocates the memory for all codes in segments, and compares codes in WebAssembly. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const { compare } = new WebAssembly.Instance(module, { host: { memory } }).exports as {
    compare(addresses: number, count: number, offset: number, question: number, sums: number): void;
  };
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
     * @returns the address of the code
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
     * Computes, for each code, the sum of the question's numbers whose bit is set in a plane.
     *
     * @param addresses at most `BATCH` codes
     * @returns one sum per code; the next call overwrites them
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
