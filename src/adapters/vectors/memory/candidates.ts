import type { CodeQuestion } from '../codes/code-question.ts';
import { lowerBoundOf, lowestEstimate, NO_BOUND } from '../codes/error-bound.ts';
import { type ChunkSet, countChunks } from './chunk-set.ts';
import type { Candidate, CodeList } from './code-list.ts';

/** How many rough candidates to examine for each candidate wanted. */
const ROUGH_FACTOR = 8;

/** How much of the margin the last hit's score usually falls below its estimate. */
const USUAL_MARGIN = 0.25;

/**
 * Chooses the chunks whose true vectors to compare: those with the highest estimates, each once.
 * Rough estimates for all chunks decide which of them need closer estimates.
 *
 * @param wanted the chunks to choose from; default: all
 */
export async function createCandidates(codes: CodeList, question: CodeQuestion, wanted?: ChunkSet) {
  const rough = await codes.roughly(question, wanted);
  const taken = new Set<number>();
  /** The last result of `withScoreAtLeast`: the chunks whose true score may be at least `score`. */
  let examined = { score: Number.POSITIVE_INFINITY, chunks: [] as Candidate[] };

  return {
    /** How many chunks there are to choose from. */
    count: wanted ? countChunks(wanted) : codes.count,

    /** How many chunks have been returned so far. */
    taken: (): number => taken.size,

    /**
     * The keys of the chunks that are probably enough to be certain of `limit` hits; at most
     * `most`.
     */
    async firstRound(limit: number, most: number): Promise<bigint[]> {
      const seeds = await topByRoughEstimate(ROUGH_FACTOR * limit);
      const seed = lowestOf(seeds, limit);
      if (!seed) return take(seeds, most);
      const last = lowestOf(await withScoreAtLeast(probableScore(seed)), limit) ?? seed;
      return remainingAbove(probableScore(last), most);
    },

    /** The keys of the `count` remaining chunks with the highest estimates. */
    async highest(count: number): Promise<bigint[]> {
      return take(await topByRoughEstimate(ROUGH_FACTOR * (count + taken.size)), count);
    },

    remainingAbove,

    /** It must not be used afterwards. */
    [Symbol.dispose]: () => rough[Symbol.dispose](),
  };

  /**
   * The keys of the `count` highest of the remaining chunks whose true score may be at least the
   * score of a hit. If there are none, all hits have been found.
   */
  async function remainingAbove(score: number, count: number): Promise<bigint[]> {
    const bound = lowerBoundOf(score, question.error);
    const possible = (await withScoreAtLeast(score)).filter(
      ({ estimate, error }) => estimate >= lowestEstimate(bound, error),
    );
    return take(possible, count);
  }

  /** All chunks whose true score may be at least `score`, and perhaps others. */
  async function withScoreAtLeast(score: number): Promise<Candidate[]> {
    if (score >= examined.score) return examined.chunks;
    const bound = lowerBoundOf(score, question.error);
    const chunks = await codes.closely(question, rough, await rough.notBelow(bound), bound);
    examined = { score, chunks };
    return chunks;
  }

  /** The chunks with the highest rough estimates. */
  async function topByRoughEstimate(count: number): Promise<Candidate[]> {
    return codes.closely(question, rough, await rough.highestOf(count), NO_BOUND);
  }

  /** A probable lower bound for the true score of a chunk. */
  function probableScore({ estimate, error }: Candidate): number {
    const bound = lowerBoundOf(estimate, question.error);
    return estimate - USUAL_MARGIN * (estimate - lowestEstimate(bound, error));
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
  const estimates = new Float64Array(chunks.length);
  for (let at = 0; at < chunks.length; at++) estimates[at] = (chunks[at] as Candidate).estimate;
  const lowest = estimates.sort()[chunks.length - count];
  return chunks.find(({ estimate }) => estimate === lowest);
}
