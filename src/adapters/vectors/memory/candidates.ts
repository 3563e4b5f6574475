import { marginOf } from '../codes/certificate.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import type { CodeList, Estimates } from './code-list.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';
import { createRoughOrder } from './rough-order.ts';

/** How many estimates to examine before other work on the event loop may run. */
const SLICE = 200_000;

/** How many rough candidates to examine for each candidate wanted. */
const ROUGH_FACTOR = 8;

/** How much of the margin the last hit's score usually falls below its estimate. */
const USUAL_MARGIN = 0.25;

/** A chunk with its estimate from all four bits. */
interface Candidate {
  /** The index of the chunk in the code list. */
  place: number;
  estimate: number;
  /** β² for the estimate. */
  error: number;
}

/**
 * Chooses the chunks whose true vectors to compare: those with the highest estimates, each once.
 * Rough estimates for all chunks decide which of them need closer estimates.
 *
 * @param places the chunks to choose from; default: all
 */
export async function createCandidates(
  codes: CodeList,
  question: CodeQuestion,
  places?: Uint32Array,
) {
  const rough = await codes.roughly(question, places);
  const order = await createRoughOrder(rough.estimates);
  const taken = new Set<number>();
  /** The last result of `lookDownTo`: the chunks whose true score may be at least `score`. */
  let examined = { score: Number.POSITIVE_INFINITY, chunks: [] as Candidate[] };

  return {
    count: rough.estimates.length,
    /** How many chunks have been returned so far. */
    get taken() {
      return taken.size;
    },

    /**
     * The keys of the chunks that are probably enough to be certain of `limit` hits; at most
     * `most`.
     */
    async likely(limit: number, most: number): Promise<bigint[]> {
      const seeds = await lookClosely(await order.highest(ROUGH_FACTOR * limit));
      const seed = lowestOf(seeds, limit);
      if (!seed) return take(seeds, most);
      const last = lowestOf(await lookDownTo(probableScore(seed)), limit) ?? seed;
      return asHighAs(probableScore(last), most);
    },

    /** The keys of the `count` remaining chunks with the highest estimates. */
    async highest(count: number): Promise<bigint[]> {
      const chosen = await lookClosely(await order.highest(ROUGH_FACTOR * (count + taken.size)));
      return take(chosen, count);
    },

    asHighAs,
  };

  /**
   * The keys of the `count` highest of the remaining chunks whose true score may be at least the
   * score of a hit. If there are none, all hits have been found.
   */
  async function asHighAs(score: number, count: number): Promise<bigint[]> {
    const possible = (await lookDownTo(score)).filter(
      ({ estimate, error }) => estimate >= score - marginOf(score, error, question.error),
    );
    return take(possible, count);
  }

  /** All chunks whose true score may be at least `score`, and perhaps others. */
  async function lookDownTo(score: number): Promise<Candidate[]> {
    if (score >= examined.score) return examined.chunks;
    const closer = await codes.closer(question, rough, await possibleOf(rough, score));
    const closest = await codes.closer(question, closer, await possibleOf(closer, score));
    examined = { score, chunks: toCandidates(closest) };
    return examined.chunks;
  }

  /** The positions of the estimates whose chunks may have a true score of at least `score`. */
  async function possibleOf(
    { estimates, depth, places }: Estimates,
    score: number,
  ): Promise<Uint32Array> {
    const { all: errors, largest } = codes.errorsOf(depth);
    const least = score - marginOf(score, largest, question.error);
    const possible = createGrowingList(Uint32Array);
    await inSlices(estimates.length, SLICE, (from, to) => {
      for (let at = from; at < to; at++) {
        const estimate = estimates[at] as number;
        if (estimate < least) continue;
        const error = errors[places?.[at] ?? at] as number;
        if (estimate >= score - marginOf(score, error, question.error)) possible.push(at);
      }
    });
    return possible.all();
  }

  /** Estimates with all four bits for some positions among the rough estimates. */
  async function lookClosely(positions: Uint32Array): Promise<Candidate[]> {
    const closer = await codes.closer(question, rough, positions);
    return toCandidates(
      await codes.closer(
        question,
        closer,
        positions.map((_, at) => at),
      ),
    );
  }

  function toCandidates({ depth, places, estimates }: Estimates): Candidate[] {
    const { all: errors } = codes.errorsOf(depth);
    return Array.from(estimates, (estimate, at) => {
      const place = places?.[at] ?? at;
      return { place, estimate, error: errors[place] as number };
    });
  }

  /** A probable lower bound for the true score of a chunk. */
  function probableScore({ estimate, error }: Candidate): number {
    return estimate - USUAL_MARGIN * marginOf(estimate, error, question.error);
  }

  function take(chosen: Candidate[], count: number): bigint[] {
    const remaining = chosen.filter(({ place }) => !taken.has(place));
    return highestOf(remaining, count).map(({ place }) => {
      taken.add(place);
      return codes.keyAt(place);
    });
  }
}

/** The `count` highest, in no particular order. */
function highestOf(chunks: Candidate[], count: number): Candidate[] {
  const lowest = lowestOf(chunks, count);
  if (!lowest) return chunks;
  return chunks.filter(({ estimate }) => estimate >= lowest.estimate).slice(0, count);
}

/** The lowest of the `count` highest; nothing if there are fewer. */
function lowestOf(chunks: Candidate[], count: number): Candidate | undefined {
  // Numbers are sorted ten times as fast as objects.
  const estimates = new Float32Array(chunks.length);
  for (let at = 0; at < chunks.length; at++) estimates[at] = (chunks[at] as Candidate).estimate;
  const lowest = estimates.sort()[chunks.length - count];
  return chunks.find(({ estimate }) => estimate === lowest);
}
