import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** How many estimates to examine before other work on the event loop may run. */
const SLICE = 200_000;

/** Buckets of the histogram of estimates, from -1 to 1. Sorting would take ten times as long. */
const BUCKETS = 4096;

/** Finds the highest of many estimates, in no particular order. */
export async function createRoughOrder(estimates: Float32Array) {
  /** The number of estimates in each bucket. */
  const counts = new Uint32Array(BUCKETS);
  await inSlices(estimates.length, SLICE, (from, to) => {
    for (let at = from; at < to; at++) {
      const bucket = bucketOf(estimates[at] as number);
      counts[bucket] = (counts[bucket] as number) + 1;
    }
  });

  return {
    /** The positions of the `count` highest estimates, or of more, up to twice as many. */
    async highest(count: number): Promise<Uint32Array> {
      let [bucket, sum] = [BUCKETS, 0];
      while (bucket > 0 && sum < count) sum += counts[--bucket] as number;
      const chosen = createGrowingList(Uint32Array);
      await inSlices(estimates.length, SLICE, (from, to) => {
        for (let at = from; at < to; at++) {
          if (bucketOf(estimates[at] as number) >= bucket) chosen.push(at);
        }
      });
      // One bucket may contain many estimates.
      if (chosen.all().length <= 2 * count) return chosen.all();
      return chosen
        .all()
        .sort((a, b) => (estimates[b] as number) - (estimates[a] as number))
        .subarray(0, count);
    },
  };
}

function bucketOf(estimate: number): number {
  return Math.max(0, Math.min(BUCKETS - 1, ((estimate + 1) * (BUCKETS / 2)) | 0));
}
