import { DIMENSIONS } from '../../../core/embedding.ts';
import { BLOCK_CODES } from '../codes/code-memory.ts';
import { type LowerBound, lowestEstimate, NO_BOUND } from '../codes/error-bound.ts';
import { errorOfSigns } from '../codes/sign-question.ts';
import type { ChunkSet } from './chunk-set.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** How many groups to examine before other work on the event loop may run. */
const SLICE = 4_000;

/**
 * A histogram of estimates, from -1 to 1. Sorting would take ten times as long. It is filled anew each
 * time, because new ones would be garbage outside of the heap (`createScanBuffers`).
 */
const BUCKETS = 4096;
const counts = new Uint32Array(BUCKETS);

/** How much the highest estimate of a group may be too low: it was computed with 32 bits. */
const TOLERANCE = 1e-5;

/** The sums over the signs of some chunks, and how they are converted to estimates. */
interface ScannedSigns {
  /** For 16 chunks at a time, the sums of the question's numbers multiplied by the chunks' signs. */
  sums: Uint16Array;
  /** The index in the dataset's `ChunkSet` of each 16 chunks. */
  numbers: Uint32Array;
  /** Those of the chunks that are wanted. */
  passing: ChunkSet;
  /** The highest estimate of each 16. Only where it is high, those of its chunks are computed. */
  highest: Float32Array;
  /** The sum whose estimate is 0. */
  zero: number;
  /** The question's factor for sums. */
  factor: number;
  /** The factor of each chunk of the dataset, and the largest. */
  factors: Float32Array;
  largestFactor: number;
}

/** Estimates for the inner products of a question with some chunks, by the signs of the chunks. */
export function createRoughEstimates(scanned: ScannedSigns) {
  const { sums, numbers, passing, highest, zero, factor, factors, largestFactor } = scanned;
  const largestError = errorOf(largestFactor);

  return {
    sums,
    placeAt,
    estimateAt,

    /** The positions of the `wanted` highest estimates, or of more, up to twice as many. */
    async highestOf(wanted: number): Promise<Uint32Array> {
      const least = lowestOfHighest(highest, wanted);
      const chosen = await positionsOf(least, NO_BOUND);
      if (chosen.length <= 2 * wanted) return chosen;
      const found = new Float32Array(chosen.length);
      for (let at = 0; at < found.length; at++) found[at] = estimateAt(chosen[at] as number);
      const lowest = lowestOfHighest(found, wanted);
      return chosen.filter((_, at) => (found[at] as number) >= lowest).subarray(0, 2 * wanted);
    },

    /** The positions of the estimates that are not below the bound, in ascending order. */
    notBelow: (bound: LowerBound): Promise<Uint32Array> =>
      positionsOf(lowestEstimate(bound, largestError), bound),
  };

  /** The index in the code list of the chunk at a position. */
  function placeAt(position: number): number {
    return BLOCK_CODES * (numbers[position >>> 4] as number) + (position & 15);
  }

  function estimateAt(position: number): number {
    const chunkFactor = factors[placeAt(position)] as number;
    return ((sums[position] as number) - zero) * factor * chunkFactor;
  }

  /** The positions of the estimates that are at least `least` and not below the bound. */
  async function positionsOf(least: number, bound: LowerBound): Promise<Uint32Array> {
    const chosen = createGrowingList(Uint32Array);
    await inSlices(highest.length, SLICE, (from, to) => {
      for (let group = from; group < to; group++) {
        if ((highest[group] as number) < least - TOLERANCE) continue;
        // Each bit that is set, the lowest first.
        for (let bits = passing[group] as number; bits !== 0; bits &= bits - 1) {
          const at = BLOCK_CODES * group + (31 - Math.clz32(bits & -bits));
          const estimate = estimateAt(at);
          if (estimate < least) continue;
          const error = errorOf(factors[placeAt(at)] as number);
          if (estimate >= lowestEstimate(bound, error)) chosen.push(at);
        }
      }
    });
    return chosen.all();
  }
}

export type RoughEstimates = ReturnType<typeof createRoughEstimates>;

/** β² for the signs of a chunk. */
function errorOf(chunkFactor: number): number {
  return errorOfSigns(Math.sqrt(DIMENSIONS) * chunkFactor);
}

/** An estimate that at least `wanted` are not below; there may be a few more. */
function lowestOfHighest(estimates: Float32Array, wanted: number): number {
  counts.fill(0);
  // Indexed loops: on typed arrays they are ten times as fast as iterators and callbacks.
  for (let at = 0; at < estimates.length; at++) {
    const bucket = bucketOf(estimates[at] as number);
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  let [bucket, sum] = [BUCKETS, 0];
  while (bucket > 0 && sum < wanted) sum += counts[--bucket] as number;
  // The first bucket contains all that are lower, too.
  return bucket === 0 ? Number.NEGATIVE_INFINITY : bucket / (BUCKETS / 2) - 1;
}

function bucketOf(estimate: number): number {
  return Math.max(0, Math.min(BUCKETS - 1, ((estimate + 1) * (BUCKETS / 2)) | 0));
}
