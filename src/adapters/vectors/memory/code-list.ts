import { FACTOR_BYTES, PLANE_BYTES } from '../codes/chunk-code.ts';
import { BATCH, type CodeKernel, SEGMENT_BYTES, SEGMENT_HALVES } from '../codes/code-kernel.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** Chunks that are compared before others have their turn. */
const SLICE = 3 * BATCH;

/**
 * The codes of a dataset's chunks; a chunk's place is its number in the order of arrival. The upper
 * two bits of every number lie apart from the lower two: they are half as much to read for a rough
 * estimate, which is enough for most chunks.
 */
export function createCodeList(kernel: CodeKernel) {
  const segments = { upper: [] as number[], lower: [] as number[] };
  const keys = createGrowingList(BigInt64Array);
  const uppers = createGrowingList(Uint32Array);
  const lowers = createGrowingList(Uint32Array);
  const [factors, errors] = [createGrowingList(Float32Array), createGrowingList(Float32Array)];
  const rough = {
    factors: createGrowingList(Float32Array),
    errors: createGrowingList(Float32Array),
  };
  const lists = [keys, uppers, lowers, factors, errors, rough.factors, rough.errors];
  let count = 0;
  let largestError = 0;

  return {
    get count() {
      return count;
    },
    get bytes() {
      const halves = segments.upper.length + segments.lower.length;
      return halves * SEGMENT_BYTES + lists.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /** The largest β² of a rough estimate. */
    get largestRoughError() {
      return largestError;
    },

    add(key: bigint, { signs, code }: { signs: Buffer; code: Buffer }): void {
      const [high, middle, low] = [0, 1, 2].map((plane) =>
        code.subarray(FACTOR_BYTES + plane * PLANE_BYTES),
      ) as [Buffer, Buffer, Buffer];
      uppers.push(write(segments.upper, signs, high));
      lowers.push(write(segments.lower, middle, low));
      factors.push(code.readFloatLE(0));
      errors.push(code.readFloatLE(4));
      rough.factors.push(code.readFloatLE(8));
      rough.errors.push(code.readFloatLE(12));
      largestError = Math.max(largestError, code.readFloatLE(12));
      keys.push(key);
      count++;
    },

    keyAt: (place: number): bigint => keys.all()[place] as bigint,

    /** About the inner products of a question with chunks: rough estimates. */
    async roughly(question: CodeQuestion, places: Uint32Array | undefined) {
      const sums = await compare(question, uppers.all(), places);
      const [factorOf, errorOf] = [rough.factors.all(), rough.errors.all()];
      const placeOf = (at: number) => places?.[at] ?? at;
      const estimates = new Float32Array(sums.length);
      for (let at = 0; at < sums.length; at++) {
        const factor = (factorOf[placeOf(at)] as number) * question.factor;
        estimates[at] = (2 * (sums[at] as number) - 3 * question.sum) * factor;
      }
      return { sums, estimates, errorAt: (at: number) => errorOf[placeOf(at)] as number };
    },

    /**
     * The same by all four bits.
     *
     * @param sums of the rough estimates of these chunks
     */
    async closely(question: CodeQuestion, places: Uint32Array, sums: Int32Array) {
      const lower = await compare(question, lowers.all(), places);
      const [factorOf, errorOf] = [factors.all(), errors.all()];
      return Array.from(places, (place, at) => {
        const sum = 4 * (sums[at] as number) + (lower[at] as number);
        const factor = (factorOf[place] as number) * question.factor;
        return {
          estimate: (2 * sum - 15 * question.sum) * factor,
          error: errorOf[place] as number,
        };
      });
    },

    /** Gives its memory back: it must not be used any more. */
    free(): void {
      for (const segment of segments.upper.splice(0)) kernel.giveBack(segment);
      for (const segment of segments.lower.splice(0)) kernel.giveBack(segment);
    },
  };

  function write(to: number[], higher: Uint8Array, lower: Uint8Array): number {
    const taken = count % SEGMENT_HALVES;
    if (taken === 0) to.push(kernel.lend());
    return kernel.write(to.at(-1) ?? 0, taken, higher, lower);
  }

  async function compare(
    question: CodeQuestion,
    halves: Uint32Array,
    places: Uint32Array | undefined,
  ): Promise<Int32Array> {
    const wanted = places ? places.map((place) => halves[place] as number) : halves;
    const sums = new Int32Array(wanted.length);
    await inSlices(wanted.length, SLICE, (from, to) => {
      for (let at = from; at < to; at += BATCH) {
        const batch = wanted.subarray(at, Math.min(to, at + BATCH));
        sums.set(kernel.compare(batch, question), at);
      }
    });
    return sums;
  }
}

export type CodeList = ReturnType<typeof createCodeList>;
