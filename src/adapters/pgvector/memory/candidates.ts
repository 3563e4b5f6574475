import { inSlices } from './in-slices.ts';

/** Estimates that are looked at before others have their turn. */
const SLICE = 200_000;

/** Chooses among estimates, each one once. */
export function createCandidates(estimates: Float32Array) {
  const isTaken = new Uint8Array(estimates.length);
  let takenCount = 0;

  return {
    /** How many were taken. */
    get taken() {
      return takenCount;
    },

    /** Takes the highest of those that are left, so many at most, and no lower than a bound. */
    async take(count: number, isWanted: Bound): Promise<number[]> {
      const { lowest, includes } = isWanted;
      let chosen: number[] = [];
      let bound = lowest;
      const keepHighest = () => {
        chosen = chosen.sort(byEstimate).slice(0, count);
        if (chosen.length === count) bound = estimates[chosen.at(-1) ?? 0] as number;
      };
      await inSlices(estimates.length, SLICE, (from, to) => {
        for (let at = from; at < to; at++) {
          const estimate = estimates[at] as number;
          if (estimate < bound || isTaken[at] === 1 || !includes(at, estimate)) continue;
          chosen.push(at);
          if (chosen.length >= 4 * count) keepHighest();
        }
      });
      keepHighest();
      for (const at of chosen) isTaken[at] = 1;
      takenCount += chosen.length;
      return chosen;
    },
  };

  function byEstimate(a: number, b: number): number {
    return (estimates[b] as number) - (estimates[a] as number);
  }
}

/** Which estimates come into question. */
export interface Bound {
  /** None below this does. */
  lowest: number;
  /** Whether one does that is not below it. */
  includes(at: number, estimate: number): boolean;
}

export const ANY: Bound = { lowest: Number.NEGATIVE_INFINITY, includes: () => true };
