import type { Pool } from 'pg';
import {
  type CandidateHit,
  createStatements,
  type Hit,
  hasFilter,
  type NearestQuery,
} from './statements.ts';
import type { VectorEncoding } from './vector-encoding.ts';

/** From when on codes are looked at first, in chunks; what is quickest was measured. */
export interface Thresholds {
  /** Up to so many in a dataset the true vectors of all are compared. */
  exactChunks: number;
  /** Up to so many that pass a filter, those of all are. */
  exactMatches: number;
  /** How many with the nearest codes are candidates. */
  candidates: number;
  /** For more candidates than this, or than a quarter of the dataset, all are compared. */
  widest: number;
}

const THRESHOLDS: Thresholds = {
  exactChunks: 2_000,
  exactMatches: 20_000,
  candidates: 400,
  widest: 20_000,
};

/** pgvector remembers no more on its way along a graph. */
const MOST_BY_GRAPH = 1_000;

/**
 * Finds the chunks of a dataset that are nearest to a vector, among those that pass the filter:
 * `limit` of them, or all when there are fewer. Equally near ones come in the order of their keys.
 *
 * Where many chunks come into question, codes (the signs of the vectors) are compared first, and
 * the true vectors of those with the nearest codes only. What that finds counts when it lies well
 * within the candidates; else they are widened to all that could be nearer; else, and where
 * few come into question, the true vectors of all are compared. A graph, where there is one, leads
 * to the first candidates without comparing all codes; it may miss some.
 */
export function createNearest(
  pool: Pool,
  encoding: VectorEncoding,
  { exactChunks, exactMatches, candidates, widest } = THRESHOLDS,
) {
  const statements = createStatements(pool, encoding);

  return async function nearest(query: NearestQuery): Promise<Hit[]> {
    const { chunkCount = 0 } = query;
    if (!hasFilter(query)) {
      if (chunkCount <= exactChunks) return statements.all(query);
      return (
        (query.hasGraph && (await byGraph(query))) ||
        (await byCodes(query, candidates)) ||
        statements.all(query)
      );
    }
    if (chunkCount <= exactMatches) return statements.all(query);
    const hits = await statements.some(query, exactMatches + 1);
    if ((hits[0]?.passed ?? 0) <= exactMatches) return hits;
    // About so many have as many among them that pass.
    const more = Math.ceil((candidates * chunkCount) / exactMatches);
    return (await byCodes(query, more)) ?? statements.all(query);
  };

  /** @returns nothing when the graph cannot tell, as where a question is far from all chunks */
  async function byGraph(query: NearestQuery): Promise<Hit[] | undefined> {
    const count = Math.min(Math.max(candidates, 8 * query.limit), MOST_BY_GRAPH);
    const hits = await statements.graphed(query, count);
    const isSure = hits.length === query.limit && mostBitsOf(hits) + MARGIN <= (hits[0]?.cut ?? 0);
    return isSure ? hits : undefined;
  }

  /**
   * @param count how many candidates to begin with
   * @returns nothing when codes cannot tell
   */
  async function byCodes(query: NearestQuery, count: number): Promise<Hit[] | undefined> {
    const first = Math.max(count, 8 * query.limit);
    const { chunkCount = 0 } = query;
    const most = Math.min(widest, chunkCount >> 2);
    const widenings = chunkCount > exactMatches ? 2 : 1;
    let hits = await statements.coded(query, first);
    if ((hits[0]?.candidates ?? 0) < first) return hits.length > 0 ? hits : undefined;
    let cut = hits[0]?.cut ?? 0;
    for (let widened = 0; hits.length === query.limit; widened++) {
      const worst = mostBitsOf(hits);
      if (worst + MARGIN <= cut) return hits;
      if (widened === widenings) break;
      cut = worst + MARGIN;
      hits = await statements.within(query, cut, most);
    }
    return undefined;
  }
}

export type Nearest = ReturnType<typeof createNearest>;

/** By how many bits a hit that was missed may be farther than those that were found; 15 lose one in a hundred in large datasets. */
const MARGIN = 30;

function mostBitsOf(hits: CandidateHit[]): number {
  return Math.max(...hits.map(({ bits }) => bits));
}
