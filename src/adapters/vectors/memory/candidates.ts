import { marginOf } from '../codes/certificate.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import type { CodeList } from './code-list.ts';
import { inSlices } from './in-slices.ts';

/** Estimates that are looked at before others have their turn. */
const SLICE = 200_000;

/** Among so many times as many with the highest rough estimates the highest ones are looked for. */
const ROUGHLY = 8;

/** Rough estimates are counted by so many steps from -1 to 1: sorting them takes ten times as long. */
const STEPS = 4096;

/** A chunk's estimate by all four bits. */
interface Close {
  estimate: number;
  error: number;
}

/**
 * Chooses among chunks which true vectors to compare, each once: those with the highest estimates.
 * Rough estimates tell which chunks are worth a close one.
 *
 * @param places all chunks unless given
 */
export async function createCandidates(
  codes: CodeList,
  question: CodeQuestion,
  places?: Uint32Array,
) {
  const { sums, estimates, errorAt } = await codes.roughly(question, places);
  const close = new Map<number, Close>();
  const isTaken = new Uint8Array(estimates.length);
  let takenCount = 0;
  /** How many that are left have a rough estimate of each step. */
  const leftOfStep = new Uint32Array(STEPS);
  await inSlices(estimates.length, SLICE, (from, to) => {
    for (let at = from; at < to; at++) countStep(roughAt(at), 1);
  });

  return {
    count: estimates.length,
    /** How many were taken. */
    get taken() {
      return takenCount;
    },

    /** The keys of the `count` highest of those that are left. */
    async highest(count: number): Promise<bigint[]> {
      const chosen = await highestRoughly(ROUGHLY * count);
      await lookClosely(chosen);
      return take(chosen, count);
    },

    /** The same of those only that may have a true score as high as a hit's: without them, it is sure. */
    async asHighAs(score: number, count: number): Promise<bigint[]> {
      const lowest = score - marginOf(score, codes.largestRoughError, question.error);
      const rough = await inSlicesOver((at, estimate) => {
        if (estimate < lowest || isTaken[at] === 1) return false;
        return estimate >= score - marginOf(score, errorAt(at), question.error);
      });
      await lookClosely(rough);
      const chosen = rough.filter((at) => {
        const { estimate, error } = closeAt(at);
        return estimate >= score - marginOf(score, error, question.error);
      });
      return take(chosen, count);
    },
  };

  /** So many of those that are left, and not many more, unless they are equal. */
  async function highestRoughly(count: number): Promise<number[]> {
    let [step, sum] = [STEPS, 0];
    while (step > 0 && sum < count) sum += leftOfStep[--step] as number;
    const chosen = await inSlicesOver(
      (at, estimate) => stepOf(estimate) >= step && isTaken[at] === 0,
    );
    return chosen.length <= 2 * count
      ? chosen
      : chosen.sort((a, b) => roughAt(b) - roughAt(a)).slice(0, count);
  }

  /** Those that are wanted. */
  async function inSlicesOver(
    isWanted: (at: number, estimate: number) => boolean,
  ): Promise<number[]> {
    const wanted: number[] = [];
    await inSlices(estimates.length, SLICE, (from, to) => {
      for (let at = from; at < to; at++) if (isWanted(at, roughAt(at))) wanted.push(at);
    });
    return wanted;
  }

  async function lookClosely(wanted: number[]): Promise<void> {
    const unknown = Uint32Array.from(wanted.filter((at) => !close.has(at)));
    const placesOf = unknown.map(placeOf);
    const sumsOf = Int32Array.from(unknown, (at) => sums[at] as number);
    const found = await codes.closely(question, placesOf, sumsOf);
    found.forEach((one, at) => {
      close.set(unknown[at] as number, one);
    });
  }

  function take(chosen: number[], count: number): bigint[] {
    const taken = chosen.sort((a, b) => closeAt(b).estimate - closeAt(a).estimate).slice(0, count);
    for (const at of taken) {
      isTaken[at] = 1;
      countStep(roughAt(at), -1);
    }
    takenCount += taken.length;
    return taken.map((at) => codes.keyAt(placeOf(at)));
  }

  function countStep(estimate: number, by: number): void {
    const step = stepOf(estimate);
    leftOfStep[step] = (leftOfStep[step] as number) + by;
  }

  function placeOf(at: number): number {
    return places?.[at] ?? at;
  }

  function roughAt(at: number): number {
    return estimates[at] as number;
  }

  function closeAt(at: number): Close {
    return close.get(at) ?? { estimate: roughAt(at), error: errorAt(at) };
  }
}

function stepOf(estimate: number): number {
  return Math.max(0, Math.min(STEPS - 1, ((estimate + 1) * (STEPS / 2)) | 0));
}
