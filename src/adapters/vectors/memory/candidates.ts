import { marginOf } from '../codes/certificate.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import { type ChunkSet, countChunks } from './chunk-set.ts';
import type { CodeList } from './code-list.ts';
import type { Estimates } from './estimates.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** How many estimates to examine before other work on the event loop may run. */
const SLICE = 50_000;

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
 * @param wanted the chunks to choose from; default: all
 */
export async function createCandidates(codes: CodeList, question: CodeQuestion, wanted?: ChunkSet) {
  const rough = await codes.roughly(question, wanted);
  const taken = new Set<number>();
  /** The last result of `lookDownTo`: the chunks whose true score may be at least `score`. */
  let examined = { score: Number.POSITIVE_INFINITY, chunks: [] as Candidate[] };

  return {
    /** How many chunks there are to choose from. */
    count: wanted ? countChunks(wanted) : codes.count,

    /** How many chunks have been returned so far. */
    get taken() {
      return taken.size;
    },

    /**
     * The keys of the chunks that are probably enough to be certain of `limit` hits; at most
     * `most`.
     */
    async likely(limit: number, most: number): Promise<bigint[]> {
      const seeds = await lookClosely(await rough.highestOf(ROUGH_FACTOR * limit));
      const seed = lowestOf(seeds, limit);
      if (!seed) return take(seeds, most);
      const last = lowestOf(await lookDownTo(probableScore(seed)), limit) ?? seed;
      return asHighAs(probableScore(last), most);
    },

    /** The keys of the `count` remaining chunks with the highest estimates. */
    async highest(count: number): Promise<bigint[]> {
      const chosen = await lookClosely(await rough.highestOf(ROUGH_FACTOR * (count + taken.size)));
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
    const { largest } = codes.errorsOf(rough.depth);
    const high = await rough.atLeast(score - marginOf(score, largest, question.error));
    const closer = await codes.closer(question, rough, await possibleOf(rough, high, score));
    const all = positionsOf(closer);
    const closest = await codes.closer(question, closer, await possibleOf(closer, all, score));
    examined = { score, chunks: toCandidates(closest) };
    return examined.chunks;
  }

  /** Those of the positions whose chunks may have a true score of at least `score`. */
  async function possibleOf(
    { depth, placeAt, estimateAt }: Estimates,
    positions: Uint32Array,
    score: number,
  ): Promise<Uint32Array> {
    const { all: errors } = codes.errorsOf(depth);
    const possible = createGrowingList(Uint32Array);
    await inSlices(positions.length, SLICE, (from, to) => {
      for (let index = from; index < to; index++) {
        const at = positions[index] as number;
        const error = errors[placeAt(at)] as number;
        if (estimateAt(at) >= score - marginOf(score, error, question.error)) possible.push(at);
      }
    });
    return possible.all();
  }

  /** Estimates with all four bits for some positions among the rough estimates. */
  async function lookClosely(positions: Uint32Array): Promise<Candidate[]> {
    const closer = await codes.closer(question, rough, positions);
    return toCandidates(await codes.closer(question, closer, positionsOf(closer)));
  }

  function toCandidates({ depth, sums, placeAt, estimateAt }: Estimates): Candidate[] {
    const { all: errors } = codes.errorsOf(depth);
    return Array.from({ length: sums.length }, (_, at) => {
      const place = placeAt(at);
      return { place, estimate: estimateAt(at), error: errors[place] as number };
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

function positionsOf({ sums }: Estimates): Uint32Array {
  const positions = new Uint32Array(sums.length);
  for (let at = 0; at < positions.length; at++) positions[at] = at;
  return positions;
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
