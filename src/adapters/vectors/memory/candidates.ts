import { marginOf } from '../codes/certificate.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import type { CodeList, Estimates } from './code-list.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';
import { createRoughOrder } from './rough-order.ts';

/** Estimates that are looked at before others have their turn. */
const SLICE = 200_000;

/** Among so many times as many with the highest rough estimates the highest ones are looked for. */
const ROUGHLY = 8;

/** By what part of its margin the score of the last hit is below its estimate, at most times. */
const DOUBT = 0.25;

/** A chunk with its estimate by all four bits. */
interface Close {
  place: number;
  estimate: number;
  /** β² of the estimate. */
  error: number;
}

/**
 * Chooses among chunks which true vectors to compare, each once: those with the highest estimates.
 * Rough estimates of all tell which of them are worth closer ones.
 *
 * @param places all chunks unless given
 */
export async function createCandidates(
  codes: CodeList,
  question: CodeQuestion,
  places?: Uint32Array,
) {
  const rough = await codes.roughly(question, places);
  const order = await createRoughOrder(rough.estimates);
  const taken = new Set<number>();
  /** All chunks that may have a score as high as this. */
  let looked = { score: Number.POSITIVE_INFINITY, chunks: [] as Close[] };

  return {
    count: rough.estimates.length,
    /** How many were taken. */
    get taken() {
      return taken.size;
    },

    /** The keys of those that are most likely all it takes to be sure of so many hits, but no more than `most`. */
    async likely(limit: number, most: number): Promise<bigint[]> {
      const seeds = await lookClosely(await order.highest(ROUGHLY * limit));
      const seed = lowestOf(seeds, limit);
      if (!seed) return take(seeds, most);
      const last = lowestOf(await lookDownTo(probableScore(seed)), limit) ?? seed;
      return asHighAs(probableScore(last), most);
    },

    /** The keys of the `count` highest of those that are left. */
    async highest(count: number): Promise<bigint[]> {
      const chosen = await lookClosely(await order.highest(ROUGHLY * (count + taken.size)));
      return take(chosen, count);
    },

    asHighAs,
  };

  /**
   * The keys of the `count` highest of those that are left and may have a true score as high as a
   * hit's: when there are none, all hits are found.
   */
  async function asHighAs(score: number, count: number): Promise<bigint[]> {
    const possible = (await lookDownTo(score)).filter(
      ({ estimate, error }) => estimate >= score - marginOf(score, error, question.error),
    );
    return take(possible, count);
  }

  /** All that may have a score as high as this, and perhaps more. */
  async function lookDownTo(score: number): Promise<Close[]> {
    if (score >= looked.score) return looked.chunks;
    const closer = await codes.closer(question, rough, await possibleOf(rough, score));
    const close = await codes.closer(question, closer, await possibleOf(closer, score));
    looked = { score, chunks: toClose(close) };
    return looked.chunks;
  }

  /** The positions of estimates with which a chunk may have a score as high as this. */
  async function possibleOf(of: Estimates, score: number): Promise<Uint32Array> {
    const { estimates, depth } = of;
    const { all: errors, largest } = codes.errorsOf(depth);
    const least = score - marginOf(score, largest, question.error);
    const possible = createGrowingList(Uint32Array);
    await inSlices(estimates.length, SLICE, (from, to) => {
      for (let at = from; at < to; at++) {
        const estimate = estimates[at] as number;
        if (estimate < least) continue;
        const error = errors[of.places?.[at] ?? at] as number;
        if (estimate >= score - marginOf(score, error, question.error)) possible.push(at);
      }
    });
    return possible.all();
  }

  /** Those at some positions among the rough estimates. */
  async function lookClosely(positions: Uint32Array): Promise<Close[]> {
    const closer = await codes.closer(question, rough, positions);
    return toClose(
      await codes.closer(
        question,
        closer,
        positions.map((_, at) => at),
      ),
    );
  }

  function toClose({ depth, places, estimates }: Estimates): Close[] {
    const { all: errors } = codes.errorsOf(depth);
    return Array.from(estimates, (estimate, at) => {
      const place = places?.[at] ?? at;
      return { place, estimate, error: errors[place] as number };
    });
  }

  /** About what the true score of a chunk is at least. */
  function probableScore({ estimate, error }: Close): number {
    return estimate - DOUBT * marginOf(estimate, error, question.error);
  }

  function take(chosen: Close[], count: number): bigint[] {
    const left = chosen.filter(({ place }) => !taken.has(place)).sort(byEstimate);
    return left.slice(0, count).map(({ place }) => {
      taken.add(place);
      return codes.keyAt(place);
    });
  }
}

/** The last of the `count` highest; nothing when there are fewer. */
function lowestOf(chunks: Close[], count: number): Close | undefined {
  return chunks.sort(byEstimate)[count - 1];
}

/** The highest first. */
function byEstimate(a: Close, b: Close): number {
  return b.estimate - a.estimate;
}
