import { lowerBoundOf, lowestEstimate } from './codes/error-bound.ts';
import { errorOfSigns, toSignQuestion } from './codes/sign-question.ts';
import type {
  CandidateHit,
  createNearestStatements,
  Hit,
  NearestSearch,
} from './nearest-statements.ts';

/**
 * Finds the nearest chunks with candidates from the database: it compares the sign bits of the
 * rotated vectors, and reranks the chunks with the highest estimates by their true vectors. If other
 * chunks can be nearer, all of those are reranked, too, in a second statement.
 */
export function createRerankFromDatabase(
  statements: ReturnType<typeof createNearestStatements>,
  { maxReranked }: { maxReranked: number },
) {
  /**
   * @param count the number of candidates in the first statement
   * @returns nothing when the estimates cannot decide
   */
  return async function rerankFromDatabase(
    search: NearestSearch,
    count: number,
  ): Promise<Hit[] | undefined> {
    const question = toSignQuestion(search.vector);
    if (!question) return undefined;
    const first = Math.max(count, 8 * search.limit);
    const most = Math.min(maxReranked, (search.chunkCount ?? 0) >> 2);

    const hits = await statements.rerankBySigns(search, question, first);
    if (!hits[0]?.complete) return undefined;
    if (hits[0].candidates < first) return hits;
    const bound = boundOf(hits);
    if (bound === undefined) return undefined;
    if (bound > hits[0].leastEstimate) return hits;
    const wider = await statements.rerankAbove(search, question, bound, most);
    // If hits were removed between the statements, the last one is farther than before.
    const widerBound = boundOf(wider);
    return wider[0]?.complete && widerBound !== undefined && widerBound >= bound
      ? wider
      : undefined;

    /** Chunks with estimates below this are no hits; nothing when the estimates cannot decide. */
    function boundOf(found: CandidateHit[]): number | undefined {
      const last = found[search.limit - 1];
      // For negative scores, so coarse an estimate is too low.
      if (!last || last.score < 0) return undefined;
      const error = errorOfSigns(last.largestSignFactor);
      return lowestEstimate(lowerBoundOf(last.score, question?.error ?? 0), error);
    }
  };
}
