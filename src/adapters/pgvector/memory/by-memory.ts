import {
  type createStatements,
  type Hit,
  hasFilter,
  type NamedHit,
  type NearestQuery,
} from '../statements.ts';
import { toCodeQuestion } from './code-question.ts';
import type { SearchMemory } from './search-memory.ts';

/** A hit, and how far its code is from the question. */
interface FoundHit {
  hit: NamedHit;
  distance: number;
}

/**
 * Finds the nearest chunks by the codes in memory: the true vectors of those with the nearest codes
 * are compared by the database, which also knows which of them are there and pass the filter. All
 * codes are compared once; candidates are widened, without another look, until no chunk beyond
 * them can be nearer.
 */
export function createByMemory(
  statements: ReturnType<typeof createStatements>,
  cache: SearchMemory,
) {
  /**
   * @param count how many candidates to begin with
   * @returns nothing when memory does not have all codes; `unsure` when it cannot tell
   */
  return async function byMemory(
    query: NearestQuery,
    count: number,
  ): Promise<Hit[] | 'unsure' | undefined> {
    using remembered = cache.borrow(query);
    if (!remembered) return undefined;
    const { limit, chunkCount = 0 } = query;
    const question = toCodeQuestion(query.vector);
    const distances = await remembered.content.codes.compare(question.codes);

    let found: FoundHit[] = [];
    let [compared, passed] = [0, 0];
    let [from, to] = [-1, distances.reachOf(Math.max(count, 8 * limit))];
    while (true) {
      const candidates = distances.between(from, to);
      const hits = await statements.named(query, [...candidates.keys()]);
      if (hits.some(({ version }) => version !== remembered.version)) {
        remembered.drop();
        return undefined;
      }
      compared += candidates.size;
      passed += hits[0]?.passed ?? 0;
      found = found
        .concat(hits.map((hit) => ({ hit, distance: candidates.get(BigInt(hit.key)) ?? 0 })))
        .sort(byScore)
        .slice(0, limit);

      const isFull = found.length === limit;
      const farthest = Math.max(...found.map(({ distance }) => distance));
      const next = isFull ? farthest + question.margin : distances.reachOf(4 * compared);
      if (isFull && next <= to) return found.map(({ hit }) => hit);
      // All that pass are read in a row, in as little time as half of them one by one. With a
      // filter there are others between them, and what is far from the question is given up sooner.
      const passing = (chunkCount * passed) / compared;
      const most = passing / (hasFilter(query) ? 8 : 4);
      if (next <= to || compared + distances.count(to, next) > most) return 'unsure';
      [from, to] = [to, next];
    }
  };
}

/** The nearest first, equally near ones in the order of their keys. */
function byScore({ hit: a }: FoundHit, { hit: b }: FoundHit): number {
  return b.score - a.score || Number(BigInt(a.key) - BigInt(b.key));
}
