import { DIMENSIONS } from '../../../core/embedding.ts';
import { FACTOR_BYTES, type Rounding } from '../codes/chunk-code.ts';
import { BATCH, type CodeKernel, SEGMENT_BYTES, SEGMENT_CODES } from '../codes/code-kernel.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import { PLANE_BYTES } from '../codes/encode-kernel.ts';
import { errorOfSigns } from '../codes/sign-question.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

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

/** Estimates for the inner products of a question with some chunks. */
export interface Estimates {
  /** 0, 1 or 2. Estimates at a greater depth use more bits and are more accurate. */
  depth: number;
  /** The indexes of the chunks in the code list; unset for all chunks in order. */
  places: Uint32Array | undefined;
  /** For each chunk, the sum of the question's numbers multiplied by the chunk's upper bits. */
  sums: Int32Array;
  estimates: Float32Array;
}

/**
 * The codes of a dataset's chunks. The place of a chunk is its index in the order of insertion.
 * Each bit plane is stored separately: rough estimates for all chunks read only a quarter of the
 * codes, and the rest is read only for the chunks that remain.
 */
export function createCodeList(kernel: CodeKernel) {
  const segments: number[] = [];
  const keys = createGrowingList(BigInt64Array);
  const addresses = createGrowingList(Uint32Array);
  const roundings = PLANES_OF_DEPTH.map(() => ({
    factors: createGrowingList(Float32Array),
    errors: createGrowingList(Float32Array),
    largestError: 0,
  }));
  const lists = [keys, addresses, ...roundings.flatMap(({ factors, errors }) => [factors, errors])];
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
      addresses.push(kernel.write(segments.at(-1) ?? 0, taken, planesOf(stored)));
      for (const [depth, { factor, error }] of roundingsOf(stored).entries()) {
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

    /** Rough estimates for all chunks, or for those at some places. */
    roughly: (question: CodeQuestion, places: Uint32Array | undefined): Promise<Estimates> =>
      estimate(question, { depth: 0, places, sums: new Int32Array(places?.length ?? count) }),

    /**
     * Estimates at the next depth.
     *
     * @param positions indexes into `before`, for the chunks to estimate
     */
    closer(question: CodeQuestion, before: Estimates, positions: Uint32Array): Promise<Estimates> {
      const { depth, places, sums } = before;
      return estimate(question, {
        depth: depth + 1,
        places: places ? pick(places, positions) : positions,
        sums: pick(sums, positions),
      });
    },

    /** Releases the memory. The list must not be used afterwards. */
    free(): void {
      for (const segment of segments.splice(0)) kernel.giveBack(segment);
    },
  };

  function ofDepth(depth: number) {
    return roundings[depth] as (typeof roundings)[number];
  }

  /** Adds the missing planes to the sums of the previous depth, in place. */
  async function estimate(
    question: CodeQuestion,
    { depth, places, sums }: Omit<Estimates, 'estimates'>,
  ): Promise<Estimates> {
    const wanted = places ? pick(addresses.all(), places) : addresses.all();
    const estimates = new Float32Array(sums.length);
    const factors = ofDepth(depth).factors.all();
    const last = PLANES_OF_DEPTH[depth] as number;
    // Levels are centred on zero: half of the highest level is subtracted from each.
    const half = ((2 ** last - 1) * question.sum) / 2;
    await inSlices(wanted.length, SLICE, (from, to) => {
      // Indexed loops: on typed arrays they are ten times as fast as iterators and callbacks.
      for (let start = from; start < to; start += BATCH) {
        const batch = wanted.subarray(start, Math.min(to, start + BATCH));
        for (let plane = PLANES_OF_DEPTH[depth - 1] ?? 0; plane < last; plane++) {
          const found = kernel.compare(batch, plane, question);
          for (let at = 0; at < found.length; at++) {
            sums[start + at] = 2 * (sums[start + at] as number) + (found[at] as number);
          }
        }
      }
      for (let at = from; at < to; at++) {
        const factor = (factors[places ? (places[at] as number) : at] as number) * question.factor;
        estimates[at] = 2 * ((sums[at] as number) - half) * factor;
      }
    });
    return { depth, places, sums, estimates };
  }
}

export type CodeList = ReturnType<typeof createCodeList>;

/** The bit planes of a code, highest bits first. */
function planesOf({ signs, code }: StoredCode): Uint8Array[] {
  return [signs, ...[0, 1, 2].map((plane) => code.subarray(FACTOR_BYTES + plane * PLANE_BYTES))];
}

/** The rounding of a chunk's numbers at each depth. */
function roundingsOf({ signFactor, code }: StoredCode): Rounding[] {
  return [
    { factor: signFactor / Math.sqrt(DIMENSIONS), error: errorOfSigns(signFactor) },
    { factor: code.readFloatLE(8), error: code.readFloatLE(12) },
    { factor: code.readFloatLE(0), error: code.readFloatLE(4) },
  ];
}

function pick<List extends Uint32Array | Int32Array>(from: List, positions: Uint32Array): List {
  const picked = from.slice(0, positions.length) as List;
  for (let at = 0; at < positions.length; at++) {
    picked[at] = from[positions[at] as number] as number;
  }
  return picked;
}
