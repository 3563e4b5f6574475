import { toCodeQuestion } from '../codes/code-question.ts';
import { hasFilter } from '../dataset-filter.ts';
import { tokensOfFilter } from '../index-rows.ts';
import type {
  createNearestStatements,
  Hit,
  NamedHit,
  NearestQuery,
} from '../nearest-statements.ts';
import { createCandidates } from './candidates.ts';
import type { SearchMemory } from './search-memory.ts';

/** Up to so many times what was compared before is compared next. */
const WIDENING = 4;

/**
 * Finds the nearest chunks by what is remembered of their dataset: the true vectors of those with
 * the highest estimates are compared by the database, which also knows which of them are there and
 * pass the filter. Candidates are widened until no chunk beyond them can be nearer.
 */
export function createByMemory(
  statements: ReturnType<typeof createNearestStatements>,
  cache: SearchMemory,
) {
  /**
   * @param count how many candidates to begin with at most, or four times the limit
   * @returns nothing when the dataset is not remembered as it is; `unsure` when memory cannot tell
   */
  return async function byMemory(
    query: NearestQuery,
    count: number,
  ): Promise<Hit[] | 'unsure' | undefined> {
    using remembered = cache.borrow(query);
    if (!remembered) return undefined;
    const { codes, tokens } = remembered.content;
    const question = toCodeQuestion(query.vector);
    if (!question) return 'unsure';
    const places = hasFilter(query) ? await tokens.passing(tokensOfFilter(query)) : undefined;
    const candidates = await createCandidates(codes, question, places);
    // Reading all in a row takes as long as a quarter of them one by one.
    const most = Math.max(WIDENING * count, candidates.count / 4);

    let found: NamedHit[] = [];
    let keys = await candidates.likely(query.limit, Math.max(count, 4 * query.limit));
    while (keys.length > 0) {
      const hits = await statements.named(query, keys);
      if (hits.some(({ version }) => version !== remembered.version)) {
        remembered.drop();
        return undefined;
      }
      found = found.concat(hits).sort(byScore).slice(0, query.limit);
      // Without a hit nothing says whether memory is up to date.
      if (found.length === 0 && candidates.taken >= count) return 'unsure';
      const last = found[query.limit - 1];
      const more = (WIDENING - 1) * candidates.taken;
      keys = await (last ? candidates.asHighAs(last.score, more) : candidates.highest(more));
      if (candidates.taken > most) return 'unsure';
    }
    return found.length > 0 ? found : 'unsure';
  };
}

/** The nearest first, equally near ones in the order of their keys. */
function byScore(a: NamedHit, b: NamedHit): number {
  return b.score - a.score || Number(BigInt(a.key) - BigInt(b.key));
}
