import { DIMENSIONS } from '../../../core/embedding.ts';
import { FACTOR_BYTES, type Rounding } from '../codes/chunk-code.ts';
import {
  BATCH,
  BLOCK_CODES,
  type CodeKernel,
  SEGMENT_BYTES,
  SEGMENT_CODES,
} from '../codes/code-kernel.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import { PLANE_BYTES } from '../codes/encode-kernel.ts';
import { errorOfSigns } from '../codes/sign-question.ts';
import { allChunks } from './chunk-set.ts';
import { createEstimates, type Estimates } from './estimates.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';
import type { RoughEstimates } from './rough-estimates.ts';
import { scanSigns } from './scan-signs.ts';

/** How many codes to compare before other work on the event loop may run. */
const SLICE = 3 * BATCH;

/** The number of bit planes used for the estimates at each depth. */
const PLANES_OF_DEPTH = [1, 2, 4];

/** The columns of `chunk_index` that contain the code of a chunk. */
export interface StoredCode {
  signFactor: number;
  signs: Buffer;
  code: Buffer;
}

/**
 * The codes of a dataset's chunks. The place of a chunk is its index in the order of insertion.
 * Each bit plane is stored separately: rough estimates for all chunks read only a quarter of the
 * codes, and the rest is read only for the chunks that remain.
 */
export function createCodeList(kernel: CodeKernel) {
  const segments: number[] = [];
  const keys = createGrowingList(BigInt64Array);
  const blocks = createGrowingList(Uint32Array);
  const roundings = PLANES_OF_DEPTH.map(() => ({
    factors: createGrowingList(Float32Array),
    errors: createGrowingList(Float32Array),
    largestError: 0,
  }));
  const lists = [keys, blocks, ...roundings.flatMap(({ factors, errors }) => [factors, errors])];
  let count = 0;

  return {
    get count() {
      return count;
    },
    get bytes() {
      return segments.length * SEGMENT_BYTES + lists.reduce((sum, { bytes }) => sum + bytes, 0);
    },

    add(key: bigint, stored: StoredCode): void {
      const taken = count % SEGMENT_CODES;
      if (taken === 0) segments.push(kernel.lend());
      const segment = segments.at(-1) as number;
      if (taken % BLOCK_CODES === 0) blocks.push(kernel.blockAddress(segment, taken));
      const found = roundingsOf(stored);
      kernel.write(segment, taken, planesOf(stored), found[0].factor);
      for (const [depth, { factor, error }] of found.entries()) {
        const { factors, errors, largestError } = ofDepth(depth);
        factors.push(factor);
        errors.push(error);
        ofDepth(depth).largestError = Math.max(largestError, error);
      }
      keys.push(key);
      count++;
    },

    keyAt: (place: number): bigint => keys.all()[place] as bigint,

    /** β² for the estimates at a depth: for all chunks in order, and the largest value. */
    errorsOf(depth: number) {
      const { errors, largestError } = ofDepth(depth);
      return { all: errors.all(), largest: largestError };
    },

    /**
     * Rough estimates for chunks.
     *
     * @param wanted the chunks; default: all
     */
    roughly: (question: CodeQuestion, wanted = allChunks(count)): Promise<RoughEstimates> =>
      scanSigns(
        { kernel, blocks: blocks.all(), factors: ofDepth(0).factors.all() },
        question,
        wanted,
      ),

    /**
     * Estimates at the next depth.
     *
     * @param positions of the chunks in `before`
     */
    async closer(
      question: CodeQuestion,
      before: Estimates,
      positions: Uint32Array,
    ): Promise<Estimates> {
      const depth = before.depth + 1;
      const places = new Uint32Array(positions.length);
      const sums = new Int32Array(positions.length);
      // Sums of signs are counted from the lowest one.
      const lowest = before.depth === 0 ? question.lowest : 0;
      // Indexed loops: on typed arrays they are ten times as fast as iterators and callbacks.
      for (let at = 0; at < positions.length; at++) {
        const position = positions[at] as number;
        places[at] = before.placeAt(position);
        sums[at] = (before.sums[position] as number) + lowest;
      }
      const last = PLANES_OF_DEPTH[depth] as number;
      await inSlices(places.length, SLICE, (from, to) => {
        for (let start = from; start < to; start += BATCH) {
          const batch = places.subarray(start, Math.min(to, start + BATCH));
          for (let plane = PLANES_OF_DEPTH[depth - 1] as number; plane < last; plane++) {
            const found = kernel.compare(addressesOf(batch, plane), question);
            for (let at = 0; at < found.length; at++) {
              sums[start + at] = 2 * (sums[start + at] as number) + (found[at] as number);
            }
          }
        }
      });
      // Levels are centred on zero: half of the highest level is subtracted from each.
      const zero = ((2 ** last - 1) * question.sum) / 2;
      return createEstimates(
        { depth, sums, placeAt: (at) => places[at] as number },
        { zero, factor: question.factor, factors: ofDepth(depth).factors.all() },
      );
    },

    /** Releases the memory. The list must not be used afterwards. */
    free(): void {
      for (const segment of segments.splice(0)) kernel.giveBack(segment);
    },
  };

  function ofDepth(depth: number) {
    return roundings[depth] as (typeof roundings)[number];
  }

  function addressesOf(places: Uint32Array, plane: number): Uint32Array {
    const addresses = new Uint32Array(places.length);
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      const segment = segments[Math.floor(place / SEGMENT_CODES)] as number;
      addresses[at] = kernel.planeAddress(segment, place % SEGMENT_CODES, plane);
    }
    return addresses;
  }
}

export type CodeList = ReturnType<typeof createCodeList>;

/** The bit planes of a code, highest bits first. */
function planesOf({ signs, code }: StoredCode): Uint8Array[] {
  return [signs, ...[0, 1, 2].map((plane) => code.subarray(FACTOR_BYTES + plane * PLANE_BYTES))];
}

/** The rounding of a chunk's numbers at each depth. */
function roundingsOf({ signFactor, code }: StoredCode): [Rounding, Rounding, Rounding] {
  return [
    { factor: signFactor / Math.sqrt(DIMENSIONS), error: errorOfSigns(signFactor) },
    { factor: code.readFloatLE(8), error: code.readFloatLE(12) },
    { factor: code.readFloatLE(0), error: code.readFloatLE(4) },
  ];
}
