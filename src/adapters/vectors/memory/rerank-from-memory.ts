import { toCodeQuestion } from '../codes/code-question.ts';
import type {
  createNearestStatements,
  Hit,
  NearestSearch,
  RerankedHit,
} from '../nearest-statements.ts';
import { createCandidates } from './candidates.ts';
import type { PassingChunks } from './passing-chunks.ts';
import type { SearchMemory } from './search-memory.ts';

/** Growth factor of the candidate set per round. */
const OVERSAMPLING = 4;

/**
 * Finds the nearest chunks with candidates from memory: the database reranks the chunks with the highest
 * estimates by their true vectors, and leaves out those that no longer exist or do not match the filter.
 * More candidates are reranked until no other chunk can be nearer.
 */
export function createRerankFromMemory(
  statements: ReturnType<typeof createNearestStatements>,
  cache: SearchMemory,
  passingChunks: PassingChunks,
) {
  /**
   * @param count the number of candidates in the first round, at most; at least four times the limit
   * @returns nothing if the current version of the dataset is not in memory; `unsure` if the
   *   estimates cannot decide
   */
  return async function rerankFromMemory(
    search: NearestSearch,
    count: number,
  ): Promise<Hit[] | 'unsure' | undefined> {
    using cached = cache.acquire(search);
    if (!cached) return undefined;
    const { codes } = cached.content;
    const question = toCodeQuestion(search.vector);
    if (!question) return 'unsure';
    const wanted = await passingChunks(cached, search);
    if (wanted === 'outdated') {
      cached.drop();
      return undefined;
    }
    using candidates = await createCandidates(codes, question, wanted);
    // Comparing all chunks takes as long as reading a quarter of them by their keys.
    const most = Math.max(OVERSAMPLING * count, candidates.count / 4);

    let found: RerankedHit[] = [];
    let keys = await candidates.firstRound(search.limit, Math.max(count, 4 * search.limit));
    while (keys.length > 0) {
      const hits = await statements.rerankKeys(search, keys);
      if (hits.some(({ version }) => version !== cached.version)) {
        cached.drop();
        return undefined;
      }
      found = found.concat(hits).sort(byScore).slice(0, search.limit);
      // The hits carry the version: without one, the content may be outdated.
      if (found.length === 0 && candidates.taken() >= count) return 'unsure';
      const last = found[search.limit - 1];
      const more = (OVERSAMPLING - 1) * candidates.taken();
      keys = await (last ? candidates.remainingAbove(last.score, more) : candidates.highest(more));
      if (candidates.taken() > most) return 'unsure';
    }
    return found.length > 0 ? found : 'unsure';
  };
}

/** Nearest first; equal scores in the order of their keys. */
function byScore(a: RerankedHit, b: RerankedHit): number {
  return b.score - a.score || Number(BigInt(a.key) - BigInt(b.key));
}
