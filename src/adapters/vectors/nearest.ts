import { hasFilter } from './dataset-filter.ts';
import { createPassingChunks } from './memory/passing-chunks.ts';
import { createRerankFromMemory } from './memory/rerank-from-memory.ts';
import type { SearchMemory } from './memory/search-memory.ts';
import { createNearestStatements, type Hit, type NearestSearch } from './nearest-statements.ts';
import { createRerankFromDatabase } from './rerank-from-database.ts';
import type { StatementParts } from './run-statement.ts';

/** When searches use binary codes. The defaults were measured to be the fastest. */
export interface Thresholds {
  /** In a dataset with at most so many chunks, all true vectors are compared: with codes in memory, and without. */
  exactChunks: { cached: number; uncached: number };
  /**
   * Without codes in memory, when at most so many chunks match a filter, or this share of the dataset, all
   * their true vectors are compared.
   */
  exactMatches: { least: number; share: number };
  /** The number of candidates that are reranked first: at most, with codes in memory, and with codes that the database compares. */
  candidates: { cached: number; uncached: number };
  /** If the database had to rerank more than this, or than a quarter of the dataset, all are compared. */
  maxReranked: number;
}

const THRESHOLDS: Thresholds = {
  exactChunks: { cached: 100, uncached: 2_000 },
  exactMatches: { least: 20_000, share: 0.02 },
  candidates: { cached: 256, uncached: 400 },
  maxReranked: 20_000,
};

/**
 * Finds the chunks of a dataset that are nearest to a vector, among those that match the filter:
 * `limit` of them, or all when there are fewer. Chunks with equal scores are sorted by their keys.
 *
 * In larger datasets, binary codes give an estimate of each score and a bound of its error, and only
 * the chunks that can be among the nearest are reranked by their true vectors. The candidates come
 * from codes in memory, or else from coarser ones in the database. If the estimates cannot decide,
 * and in small datasets, all true vectors are compared. The result is always the same.
 */
export function createNearest(parts: StatementParts, cache: SearchMemory, thresholds = THRESHOLDS) {
  const { exactChunks, exactMatches, candidates } = thresholds;
  const statements = createNearestStatements(parts);
  const rerankFromMemory = createRerankFromMemory(statements, cache, createPassingChunks(parts));
  const rerankFromDatabase = createRerankFromDatabase(statements, thresholds);

  return async function nearest(search: NearestSearch): Promise<Hit[]> {
    const { chunkCount = 0 } = search;
    if (chunkCount <= exactChunks.cached) return statements.exact(search);
    const found = await rerankFromMemory(search, candidates.cached);
    if (found === 'unsure') return statements.exact(search);
    return found ?? (await byDatabase(search, chunkCount));
  };

  async function byDatabase(search: NearestSearch, chunkCount: number): Promise<Hit[]> {
    let first = candidates.uncached;
    if (hasFilter(search)) {
      const most = Math.max(exactMatches.least, Math.ceil(exactMatches.share * chunkCount));
      if (chunkCount <= most) return statements.exact(search);
      const hits = await exactIfFew(search, most);
      if (hits) return hits;
      // Scaled up so that about `candidates.uncached` of them pass the filter.
      first = Math.ceil((first * chunkCount) / most);
    } else if (chunkCount <= exactChunks.uncached) return statements.exact(search);
    return (await rerankFromDatabase(search, first)) ?? statements.exact(search);
  }

  /** @returns nothing when more than `most` pass the filter */
  async function exactIfFew(search: NearestSearch, most: number): Promise<Hit[] | undefined> {
    const hits = await statements.exactUpTo(search, most + 1);
    return (hits[0]?.passed ?? 0) <= most ? hits : undefined;
  }
}

export type Nearest = ReturnType<typeof createNearest>;
