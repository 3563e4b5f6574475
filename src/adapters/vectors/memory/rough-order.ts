import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** Estimates that are looked at before others have their turn. */
const SLICE = 200_000;

/** Estimates are counted by so many steps from -1 to 1: sorting them takes ten times as long. */
const STEPS = 4096;

/** Finds the highest of many estimates, in any order. */
export async function createRoughOrder(estimates: Float32Array) {
  /** How many have an estimate of each step. */
  const counts = new Uint32Array(STEPS);
  await inSlices(estimates.length, SLICE, (from, to) => {
    for (let at = from; at < to; at++) {
      const step = stepOf(estimates[at] as number);
      counts[step] = (counts[step] as number) + 1;
    }
  });

  return {
    /** The positions of the `count` highest, or of some more, up to twice as many. */
    async highest(count: number): Promise<Uint32Array> {
      let [step, sum] = [STEPS, 0];
      while (step > 0 && sum < count) sum += counts[--step] as number;
      const chosen = createGrowingList(Uint32Array);
      await inSlices(estimates.length, SLICE, (from, to) => {
        for (let at = from; at < to; at++) {
          if (stepOf(estimates[at] as number) >= step) chosen.push(at);
        }
      });
      // Many may be equal.
      if (chosen.all().length <= 2 * count) return chosen.all();
      return chosen
        .all()
        .sort((a, b) => (estimates[b] as number) - (estimates[a] as number))
        .subarray(0, count);
    },
  };
}

function stepOf(estimate: number): number {
  return Math.max(0, Math.min(STEPS - 1, ((estimate + 1) * (STEPS / 2)) | 0));
}
