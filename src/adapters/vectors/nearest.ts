import { createByCodes } from './by-codes.ts';
import { hasFilter } from './dataset-filter.ts';
import { createByMemory } from './memory/by-memory.ts';
import type { SearchMemory } from './memory/search-memory.ts';
import { createNearestStatements, type Hit, type NearestQuery } from './nearest-statements.ts';
import type { StatementParts } from './run-statement.ts';

/** From when on codes are looked at first; what is quickest was measured. */
export interface Thresholds {
  /** Up to so many chunks in a dataset the true vectors of all are compared: with codes in memory, and without. */
  exactChunks: { remembered: number; read: number };
  /** Without codes in memory, up to so many that pass a filter, those of all are. */
  exactMatches: number;
  /** How many with the highest estimates are compared first: at most so many of codes in memory, and of those that the database compares. */
  candidates: { remembered: number; read: number };
  /** For more candidates of the database than this, or than a quarter of the dataset, all are compared. */
  widest: number;
}

const THRESHOLDS: Thresholds = {
  exactChunks: { remembered: 100, read: 2_000 },
  exactMatches: 20_000,
  candidates: { remembered: 256, read: 400 },
  widest: 20_000,
};

/**
 * Finds the chunks of a dataset that are nearest to a vector, among those that pass the filter:
 * `limit` of them, or all when there are fewer. Equally near ones come in the order of their keys.
 *
 * Where many chunks come into question, their codes tell about how near each is, and how wrong
 * that may be: true vectors are compared of those only that can be among the nearest. Codes are in
 * memory, or else the database compares coarser ones; where these cannot tell, and where few come
 * into question, the true vectors of all are compared. What is found is the same.
 */
export function createNearest(parts: StatementParts, cache: SearchMemory, thresholds = THRESHOLDS) {
  const { exactChunks, exactMatches, candidates } = thresholds;
  const statements = createNearestStatements(parts);
  const byMemory = createByMemory(statements, cache);
  const byCodes = createByCodes(statements, thresholds);

  return async function nearest(query: NearestQuery): Promise<Hit[]> {
    const { chunkCount = 0 } = query;
    if (chunkCount <= exactChunks.remembered) return statements.all(query);
    const found = await byMemory(query, candidates.remembered);
    if (found === 'unsure') return statements.all(query);
    return found ?? (await byDatabase(query, chunkCount));
  };

  async function byDatabase(query: NearestQuery, chunkCount: number): Promise<Hit[]> {
    let first = candidates.read;
    if (hasFilter(query)) {
      if (chunkCount <= exactMatches) return statements.all(query);
      const hits = await someOf(query, exactMatches);
      if (hits) return hits;
      // About so many have as many among them that pass.
      first = Math.ceil((first * chunkCount) / exactMatches);
    } else if (chunkCount <= exactChunks.read) return statements.all(query);
    return (await byCodes(query, first)) ?? statements.all(query);
  }

  /** @returns nothing when more than `most` pass the filter */
  async function someOf(query: NearestQuery, most: number): Promise<Hit[] | undefined> {
    const hits = await statements.some(query, most + 1);
    return (hits[0]?.passed ?? 0) <= most ? hits : undefined;
  }
}

export type Nearest = ReturnType<typeof createNearest>;
