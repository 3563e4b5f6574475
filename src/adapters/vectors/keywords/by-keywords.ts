import { type DatasetFilter, hasFilter } from '../dataset-filter.ts';
import { tokensOfFilter } from '../index-rows.ts';
import type { DatasetMemory, SearchMemory } from '../memory/search-memory.ts';
import type { Passing } from '../memory/term-lists.ts';
import type { Hit } from '../nearest-statements.ts';
import type { createKeywordStatements, TermFrequencies, TermsQuery } from './keyword-statements.ts';

/** What changes more often while it is looked at is read from the database. */
const MOST_ROUNDS = 4;

/**
 * Finds chunks by BM25, and counts those that have terms: by the lists in memory, where the
 * database only says what is there and passes, or else by the terms in the database. Both give the
 * same. What BM25 counts, it counts among the chunks that pass: a filter may be a border that
 * nothing should be told across.
 */
export function createByKeywords(
  statements: ReturnType<typeof createKeywordStatements>,
  memory: SearchMemory,
) {
  return {
    best: async (query: TermsQuery): Promise<Hit[]> =>
      (await bestInMemory(query)) ?? statements.best(query),

    frequencies: async (query: DatasetFilter & { terms: number[] }): Promise<TermFrequencies> =>
      (await frequenciesInMemory(query)) ?? statements.frequencies(query),
  };

  /** @returns nothing when memory cannot tell */
  async function bestInMemory(query: TermsQuery): Promise<Hit[] | undefined> {
    using remembered = memory.borrow(query);
    if (!remembered) return undefined;
    const { content, version } = remembered;
    let count = query.limit;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { pending } = content;
      const passing = await passingOf(content, query, pending.loaderKeys);
      const places = await content.terms.best(query.terms, passing, count);
      const keys = places.map(content.codes.keyAt);
      const { state, hits } = await statements.named(query, keys);
      if (state.version !== version) {
        remembered.drop();
        return undefined;
      }
      if (state.pendingDigest !== pending.digest) {
        const { pendingDigest: digest, loaderKeys } = await statements.state(query);
        content.pending = { digest, loaderKeys };
      } else if (hits.length < query.limit && keys.length === count) {
        // In memory a chunk may seem to pass a filter that it does not.
        count *= 4;
      } else {
        const rank = new Map(keys.map((key, at) => [String(key), at]));
        const rankOf = ({ key }: Hit) => rank.get(key) ?? 0;
        return hits.sort((a, b) => rankOf(a) - rankOf(b)).slice(0, query.limit);
      }
    }
    return undefined;
  }

  /** @returns nothing when memory cannot tell */
  async function frequenciesInMemory(
    query: DatasetFilter & { terms: number[] },
  ): Promise<TermFrequencies | undefined> {
    using remembered = memory.borrow(query);
    if (!remembered) return undefined;
    const { version, loaderKeys } = await statements.state(query);
    if (version !== remembered.version) {
      remembered.drop();
      return undefined;
    }
    const { content } = remembered;
    return content.terms.survey(query.terms, await passingOf(content, query, loaderKeys));
  }
}

async function passingOf(
  { tokens, loaders }: DatasetMemory,
  query: DatasetFilter,
  hidden: string[],
): Promise<Passing> {
  const among = hasFilter(query) ? await tokens.passing(tokensOfFilter(query)) : undefined;
  return loaders.passing(hidden, among);
}
