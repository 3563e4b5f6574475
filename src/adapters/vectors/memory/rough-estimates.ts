import { CHUNKS_A_NUMBER, type ChunkSet, hasChunk } from './chunk-set.ts';
import type { Estimates } from './estimates.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** How many groups to examine before other work on the event loop may run. */
const SLICE = 20_000;

/** Buckets of a histogram of estimates, from -1 to 1. Sorting would take ten times as long. */
const BUCKETS = 4096;

/** How much the highest estimate of a group may be too low: it was computed with 32 bits. */
const TOLERANCE = 1e-5;

/**
 * Adds searches for the highest of many estimates.
 *
 * @param passing the positions of the chunks that there are estimates for
 * @param highest the highest estimate for each number of `passing`. Only where it is high, those of
 *   its chunks are computed
 */
export function createRoughEstimates(
  estimates: Estimates,
  passing: ChunkSet,
  highest: Float32Array,
) {
  const { estimateAt } = estimates;

  return {
    ...estimates,
    atLeast,

    /** The positions of the `wanted` highest estimates, or of more, up to twice as many. */
    async highestOf(wanted: number): Promise<Uint32Array> {
      const chosen = await atLeast(lowestOfHighest(highest, wanted));
      if (chosen.length <= 2 * wanted) return chosen;
      const found = new Float32Array(chosen.length);
      for (let at = 0; at < found.length; at++) found[at] = estimateAt(chosen[at] as number);
      const least = lowestOfHighest(found, wanted);
      return chosen.filter((_, at) => (found[at] as number) >= least).subarray(0, 2 * wanted);
    },
  };

  /** The positions of the estimates that are at least this high, in ascending order. */
  async function atLeast(least: number): Promise<Uint32Array> {
    const chosen = createGrowingList(Uint32Array);
    await inSlices(highest.length, SLICE, (from, to) => {
      for (let group = from; group < to; group++) {
        if ((highest[group] as number) < least - TOLERANCE) continue;
        const end = CHUNKS_A_NUMBER * (group + 1);
        for (let at = end - CHUNKS_A_NUMBER; at < end; at++) {
          if (hasChunk(passing, at) && estimateAt(at) >= least) chosen.push(at);
        }
      }
    });
    return chosen.all();
  }
}

export type RoughEstimates = ReturnType<typeof createRoughEstimates>;

/** An estimate that at least `wanted` are not below; there may be a few more. */
function lowestOfHighest(estimates: Float32Array, wanted: number): number {
  const counts = new Uint32Array(BUCKETS);
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
