import type { Thresholds } from './nearest.ts';
import type { CandidateHit, createStatements, Hit, NearestQuery } from './statements.ts';

/** By how many bits a hit that was missed may be farther than those that were found; 15 lose one in a hundred in large datasets. */
const MARGIN = 30;

/**
 * Finds the nearest chunks by codes that are read from the database with every search: the true
 * vectors of those with the nearest codes are compared, and candidates are widened until no chunk
 * beyond them can be nearer.
 */
export function createByCodes(
  statements: ReturnType<typeof createStatements>,
  { exactMatches, widest }: Pick<Thresholds, 'exactMatches' | 'widest'>,
) {
  /**
   * @param count how many candidates to begin with
   * @returns nothing when codes cannot tell
   */
  return async function byCodes(query: NearestQuery, count: number): Promise<Hit[] | undefined> {
    const first = Math.max(count, 8 * query.limit);
    const { chunkCount = 0 } = query;
    const most = Math.min(widest, chunkCount >> 2);
    // In larger datasets reading the codes once more takes less than comparing all vectors does.
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
  };
}

function mostBitsOf(hits: CandidateHit[]): number {
  return Math.max(...hits.map(({ bits }) => bits));
}
