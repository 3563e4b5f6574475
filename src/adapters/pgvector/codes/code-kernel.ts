import { readFileSync } from 'node:fs';
import type { ChunkCode } from './chunk-code.ts';
import { PLANE_BYTES } from './chunk-code.ts';
import type { CodeQuestion } from './code-question.ts';

/** Bytes of a record: the key of the chunk in 8, the two factors of its code in 4 each, the levels. */
export const RECORD_BYTES = 784;
const ERROR_AT = 12;
const LEVELS_AT = 16;

/** Records that lie together, in a page of memory. */
export const SEGMENT_RECORDS = 83;
export const SEGMENT_BYTES = 64 * 1024;

/** Records that are compared at once: about a sixth of a millisecond. */
export const BATCH = 4096;

/** Where a question, the addresses of records and their estimates lie, in the first page. */
const QUESTION_AT = 0;
const ADDRESSES_AT = 2048;
const ESTIMATES_AT = ADDRESSES_AT + 4 * BATCH;

/** Of each byte of a plane: its eight bits, each in four bits of its own, the first bit lowest. */
const SPREAD = Uint32Array.from({ length: 256 }, (_, byte) => {
  let spread = 0;
  for (let at = 0; at < 8; at++) spread |= ((byte >> (7 - at)) & 1) << (4 * at);
  return spread;
});

/** The memory of all codes, in segments that are lent and given back, and what compares them. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(new URL('compare.wasm', import.meta.url)));
  const { compare } = new WebAssembly.Instance(module, { host: { memory } }).exports as {
    compare(
      addresses: number,
      count: number,
      question: number,
      offset: number,
      scale: number,
      estimates: number,
    ): void;
  };
  const free: number[] = [];

  return {
    /** Lends a segment: its address. */
    lend: (): number => free.pop() ?? memory.grow(1) * SEGMENT_BYTES,

    giveBack(segment: number): void {
      free.push(segment);
    },

    /** Makes a record of a chunk's key and code. */
    write(address: number, key: bigint, { signs, code }: Omit<ChunkCode, 'signFactor'>): void {
      new DataView(memory.buffer).setBigInt64(address, key, true);
      new Uint8Array(memory.buffer).set(code.subarray(0, 8), address + 8);
      const levels = new Uint32Array(memory.buffer, address + LEVELS_AT, PLANE_BYTES);
      for (let at = 0; at < PLANE_BYTES; at++) {
        levels[at] =
          ((SPREAD[signs[at] as number] as number) << 3) |
          ((SPREAD[code[8 + at] as number] as number) << 2) |
          ((SPREAD[code[8 + PLANE_BYTES + at] as number] as number) << 1) |
          (SPREAD[code[8 + 2 * PLANE_BYTES + at] as number] as number);
      }
    },

    keyAt: (address: number): bigint => new DataView(memory.buffer).getBigInt64(address, true),

    /** β² of a record. */
    errorAt: (address: number): number =>
      new DataView(memory.buffer).getFloat32(address + ERROR_AT, true),

    /**
     * About the inner product of a question with each of some records, `BATCH` at most.
     *
     * @returns what the next call overwrites
     */
    compare(addresses: Uint32Array, { numbers, offset, scale }: CodeQuestion): Float32Array {
      new Int8Array(memory.buffer, QUESTION_AT).set(numbers);
      new Uint32Array(memory.buffer, ADDRESSES_AT).set(addresses);
      compare(ADDRESSES_AT, addresses.length, QUESTION_AT, offset, scale, ESTIMATES_AT);
      return new Float32Array(memory.buffer, ESTIMATES_AT, addresses.length);
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;
