import type { ChunkCode } from '../codes/chunk-code.ts';
import {
  BATCH,
  type CodeKernel,
  RECORD_BYTES,
  SEGMENT_BYTES,
  SEGMENT_RECORDS,
} from '../codes/code-kernel.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** Chunks that are compared before others have their turn. */
const SLICE = 3 * BATCH;

/** The codes of a dataset's chunks; a chunk's place is its number in the order of arrival. */
export function createCodeList(kernel: CodeKernel) {
  const segments: number[] = [];
  const addresses = createGrowingList();
  let count = 0;
  let largestError = 0;

  return {
    get count() {
      return count;
    },
    get bytes() {
      return segments.length * SEGMENT_BYTES + addresses.bytes;
    },
    /** The largest β² of all. */
    get largestError() {
      return largestError;
    },

    add(key: bigint, code: Omit<ChunkCode, 'signFactor'>): void {
      const taken = count % SEGMENT_RECORDS;
      if (taken === 0) segments.push(kernel.lend());
      const address = (segments.at(-1) ?? 0) + taken * RECORD_BYTES;
      kernel.write(address, key, code);
      largestError = Math.max(largestError, kernel.errorAt(address));
      addresses.push(address);
      count++;
    },

    keyAt: (place: number): bigint => kernel.keyAt(addresses.all()[place] as number),

    /** β² of a chunk. */
    errorAt: (place: number): number => kernel.errorAt(addresses.all()[place] as number),

    /**
     * About the inner products of a question with chunks, in the order of their places.
     *
     * @param places all chunks unless given
     */
    async estimate(question: CodeQuestion, places?: Uint32Array): Promise<Float32Array> {
      const all = addresses.all();
      const wanted = places ? places.map((place) => all[place] as number) : all;
      const estimates = new Float32Array(wanted.length);
      await inSlices(wanted.length, SLICE, (from, to) => {
        for (let at = from; at < to; at += BATCH) {
          const batch = wanted.subarray(at, Math.min(to, at + BATCH));
          estimates.set(kernel.compare(batch, question), at);
        }
      });
      return estimates;
    },

    /** Gives its memory back: it must not be used any more. */
    free(): void {
      for (const segment of segments.splice(0)) kernel.giveBack(segment);
    },
  };
}

export type CodeList = ReturnType<typeof createCodeList>;
