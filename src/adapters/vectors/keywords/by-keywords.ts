import type { DatasetFilter } from '../dataset-filter.ts';
import type { PassingChunks } from '../memory/passing-chunks.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import type { Hit } from '../nearest-statements.ts';
import type {
  createKeywordStatements,
  TermFrequencies,
  TermsSearch,
} from './keyword-statements.ts';

/**
 * If unlisted files keep changing during a search, or too few candidates remain, the database is
 * used.
 */
const MOST_ROUNDS = 4;

/**
 * Finds chunks by BM25, and counts the chunks that have terms. If the dataset is in memory, the
 * term lists there are used, and the database only checks which chunks exist and pass. Otherwise
 * the terms in the database are used. Both give the same result. BM25 counts only the chunks that
 * pass: a filter may be an access boundary, so scores must not reveal anything about other chunks.
 */
export function createByKeywords(
  statements: ReturnType<typeof createKeywordStatements>,
  memory: SearchMemory,
  passingChunks: PassingChunks,
) {
  return {
    best: async (query: TermsSearch): Promise<Hit[]> =>
      (await bestInMemory(query)) ?? statements.best(query),

    frequencies: async (query: DatasetFilter & { terms: number[] }): Promise<TermFrequencies> =>
      (await frequenciesInMemory(query)) ?? statements.frequencies(query),
  };

  /** @returns nothing if it cannot be answered from memory */
  async function bestInMemory(query: TermsSearch): Promise<Hit[] | undefined> {
    using cached = memory.acquire(query);
    if (!cached) return undefined;
    const { content, version } = cached;
    const among = await passingChunks(cached, query);
    if (among === 'outdated') {
      cached.drop();
      return undefined;
    }
    let count = query.limit;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { unlisted } = content;
      const passing = content.loaders.passing(unlisted.loaderKeys, among);
      const keys = await content.terms.best(query.terms, passing, count);
      const { state, hits } = await statements.byKeys(query, keys);
      if (state.version !== version) {
        cached.drop();
        return undefined;
      }
      if (state.unlistedDigest !== unlisted.digest) {
        const { unlistedDigest: digest, loaderKeys } = await statements.state(query);
        content.unlisted = { digest, loaderKeys };
      } else if (hits.length < query.limit && keys.length === count) {
        // Shortened hashes can collide: a chunk may pass the filter in memory only.
        count *= 4;
      } else {
        const rank = new Map(keys.map((key, at) => [String(key), at]));
        const rankOf = ({ key }: Hit) => rank.get(key) ?? 0;
        return hits.sort((a, b) => rankOf(a) - rankOf(b)).slice(0, query.limit);
      }
    }
    return undefined;
  }

  /** @returns nothing if it cannot be answered from memory */
  async function frequenciesInMemory(
    query: DatasetFilter & { terms: number[] },
  ): Promise<TermFrequencies | undefined> {
    using cached = memory.acquire(query);
    if (!cached) return undefined;
    const among = await passingChunks(cached, query);
    const { version, loaderKeys } = await statements.state(query);
    if (among === 'outdated' || version !== cached.version) {
      cached.drop();
      return undefined;
    }
    const { content } = cached;
    return content.terms.survey(query.terms, content.loaders.passing(loaderKeys, among));
  }
}
