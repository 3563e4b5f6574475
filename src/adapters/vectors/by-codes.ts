import { marginOf } from './codes/certificate.ts';
import { errorOfSigns, toSignQuestion } from './codes/sign-question.ts';
import type {
  CandidateHit,
  createNearestStatements,
  Hit,
  NearestQuery,
} from './nearest-statements.ts';

/**
 * Finds the nearest chunks by the signs of their rotated vectors, which the database compares with
 * every search: the true vectors of those with the highest estimates are compared, and candidates
 * are widened once, to all chunks that can be nearer.
 */
export function createByCodes(
  statements: ReturnType<typeof createNearestStatements>,
  { widest }: { widest: number },
) {
  /**
   * @param count how many candidates to begin with
   * @returns nothing when signs cannot tell
   */
  return async function byCodes(query: NearestQuery, count: number): Promise<Hit[] | undefined> {
    const question = toSignQuestion(query.vector);
    if (!question) return undefined;
    const first = Math.max(count, 8 * query.limit);
    const most = Math.min(widest, (query.chunkCount ?? 0) >> 2);

    const hits = await statements.coded(query, question, first);
    if (!hits[0]?.complete) return undefined;
    if (hits[0].candidates < first) return hits;
    const reach = reachOf(hits);
    if (reach === undefined) return undefined;
    if (reach > hits[0].cut) return hits;
    const wider = await statements.within(query, question, reach, most);
    // What was removed meanwhile may have left hits that are farther.
    const reached = reachOf(wider);
    return wider[0]?.complete && reached !== undefined && reached >= reach ? wider : undefined;

    /** Chunks with estimates below this are no hits; nothing when that cannot be told. */
    function reachOf(found: CandidateHit[]): number | undefined {
      const last = found[query.limit - 1];
      // Of chunks that point away, so coarse an estimate is too low.
      if (!last || last.score < 0) return undefined;
      const error = errorOfSigns(last.largestSignFactor);
      return last.score - marginOf(last.score, error, question?.error ?? 0);
    }
  };
}
