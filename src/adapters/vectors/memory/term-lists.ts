import { BM25, SCORE_PRECISION } from '../keywords/bm25.ts';
import { readSparse } from '../keywords/sparse-encoding.ts';
import { inSlices } from './in-slices.ts';
import {
  createSegmentBuilder,
  placeOf,
  SEGMENT_CHUNKS,
  type TermSegment,
  timesOf,
} from './term-segment.ts';

/**
 * Approximate memory for a chunk of 1,000 characters, in bytes: 80 terms, and a share of the term
 * tables.
 */
export const BYTES_A_CHUNK = 300;

/** How many segments to search before other work on the event loop may run. */
const SLICE = 24;

/** 1 or 0 for each chunk, by its place: whether it passes. If unset, all chunks pass. */
export type Passing = Uint8Array | undefined;

interface Ranked {
  place: number;
  score: number;
}

/**
 * The terms of a dataset's chunks. BM25 is computed from them for the chunks that pass a filter.
 *
 * @param keyAt the key of the chunk at a place
 */
export function createTermLists(keyAt: (place: number) => bigint) {
  const segments: TermSegment[] = [];
  let builder = createSegmentBuilder();
  const { k1, b } = BM25;

  return {
    bytes: (): number => segments.reduce((sum, { bytes }) => sum + bytes, 0),

    /**
     * Adds the next chunk.
     *
     * @param length the number of words in the chunk
     * @param terms its terms as a binary `sparsevec`
     */
    add(length: number, terms: Buffer): void {
      builder.addChunk(length);
      readSparse(terms, builder.addTerm);
      if (builder.size === SEGMENT_CHUNKS) this.finish();
    },

    /** Must be called after the last chunk was added. */
    finish(): void {
      if (builder.size > 0) segments.push(builder.build());
      builder = createSegmentBuilder();
    },

    survey,

    /**
     * The keys of the chunks with the highest BM25, among those that pass and have a term; equal
     * scores in the order of their keys. Their places depend on where the database stored them.
     */
    async best(terms: number[], passing: Passing, limit: number): Promise<bigint[]> {
      const { frequencies, chunks, average } = await survey(terms, passing);
      const weights = frequencies.map(
        (frequency) => (k1 + 1) * Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5)),
      );
      let best: Ranked[] = [];
      let least = Number.MIN_VALUE;
      await inSlices(segments.length, SLICE, (from, to) => {
        for (let at = from; at < to; at++) {
          const first = at * SEGMENT_CHUNKS;
          const scores = scoresOf(segments[at] as TermSegment, terms, weights, average);
          for (let place = 0; place < scores.length; place++) {
            const score = Math.round((scores[place] as number) * SCORE_PRECISION);
            if (score < least || passing?.[first + place] === 0) continue;
            best.push({ place: first + place, score });
            if (best.length < 8 * limit) continue;
            best = best.sort(byScore).slice(0, limit);
            least = best.at(-1)?.score ?? least;
          }
        }
      });
      return best
        .sort(byScore)
        .slice(0, limit)
        .map(({ place }) => keyAt(place));
    },
  };

  function byScore(a: Ranked, b: Ranked): number {
    return b.score - a.score || Number(keyAt(a.place) - keyAt(b.place));
  }

  /**
   * Statistics for BM25 over the chunks that pass: their number, their average length in words, and
   * how many of them have each term.
   */
  async function survey(terms: number[], passing: Passing) {
    const frequencies = terms.map(() => 0);
    let [chunks, words] = [0, 0];
    await inSlices(segments.length, SLICE, (from, to) => {
      for (let at = from; at < to; at++) {
        const { lengths, postingsOf } = segments[at] as TermSegment;
        const first = at * SEGMENT_CHUNKS;
        const passes = passing?.subarray(first, first + lengths.length);
        for (let place = 0; place < lengths.length; place++) {
          if (passes?.[place] === 0) continue;
          chunks++;
          words += lengths[place] as number;
        }
        for (const [number, term] of terms.entries()) {
          frequencies[number] = (frequencies[number] ?? 0) + count(postingsOf(term), passes);
        }
      }
    });
    return { chunks, average: Math.max(1, words / Math.max(1, chunks)), frequencies };
  }

  function scoresOf(
    { lengths, postingsOf }: TermSegment,
    terms: number[],
    weights: number[],
    average: number,
  ): Float64Array {
    const [least, slope] = [k1 * (1 - b), (k1 * b) / average];
    const scores = new Float64Array(lengths.length);
    for (const [number, term] of terms.entries()) {
      const weight = weights[number] ?? 0;
      const postings = postingsOf(term);
      // An indexed loop: on typed arrays it is ten times as fast as iterators and callbacks.
      for (let at = 0; at < postings.length; at++) {
        const posting = postings[at] as number;
        const place = placeOf(posting);
        const times = timesOf(posting);
        const score = (weight * times) / (times + least + slope * (lengths[place] as number));
        scores[place] = (scores[place] as number) + score;
      }
    }
    return scores;
  }
}

function count(postings: Uint16Array, passes: Passing): number {
  if (!passes) return postings.length;
  let sum = 0;
  for (let at = 0; at < postings.length; at++) {
    sum += passes[placeOf(postings[at] as number)] as number;
  }
  return sum;
}
