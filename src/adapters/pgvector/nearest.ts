import { createByCodes } from './by-codes.ts';
import { createByMemory } from './memory/by-memory.ts';
import type { SearchMemory } from './memory/search-memory.ts';
import {
  createStatements,
  type Hit,
  hasFilter,
  type NearestQuery,
  type StatementParts,
} from './statements.ts';

/** A number of chunks for codes in memory, and one for codes that are read. */
interface Threshold {
  remembered: number;
  read: number;
}

/** From when on codes are looked at first; what is quickest was measured. */
export interface Thresholds {
  /** Up to so many in a dataset the true vectors of all are compared. */
  exactChunks: Threshold;
  /** Up to so many that pass a filter, those of all are. */
  exactMatches: number;
  /** With codes in memory only up to this share of the dataset; then few of their candidates pass. */
  exactShare: number;
  /** How many with the nearest codes are candidates, to begin with. */
  candidates: Threshold;
  /** For more candidates that were read than this, or than a quarter of the dataset, all are compared. */
  widest: number;
}

const THRESHOLDS: Thresholds = {
  exactChunks: { remembered: 1_000, read: 2_000 },
  exactMatches: 20_000,
  exactShare: 1 / 75,
  candidates: { remembered: 200, read: 400 },
  widest: 20_000,
};

/**
 * Finds the chunks of a dataset that are nearest to a vector, among those that pass the filter:
 * `limit` of them, or all when there are fewer. Equally near ones come in the order of their keys.
 *
 * Where many chunks come into question, codes (the signs of the vectors) are compared first, and
 * the true vectors of those with the nearest codes only. What that finds counts when it lies well
 * within the candidates; else they are widened to all that could be nearer; else, and where
 * few come into question, the true vectors of all are compared. Codes are in memory, or else read.
 */
export function createNearest(parts: StatementParts, cache: SearchMemory, thresholds = THRESHOLDS) {
  const { exactChunks, exactMatches, exactShare, candidates } = thresholds;
  const statements = createStatements(parts);
  const byMemory = createByMemory(statements, cache);
  const byCodes = createByCodes(statements, thresholds);

  return async function nearest(query: NearestQuery): Promise<Hit[]> {
    const { chunkCount = 0 } = query;
    if (chunkCount <= exactChunks.remembered) return statements.all(query);
    return hasFilter(query) ? filtered(query, chunkCount) : unfiltered(query, chunkCount);
  };

  async function unfiltered(query: NearestQuery, chunkCount: number): Promise<Hit[]> {
    const found = await byMemory(query, candidates.remembered);
    if (found === 'unsure') return statements.all(query);
    if (found) return found;
    if (chunkCount <= exactChunks.read) return statements.all(query);
    return (await byCodes(query, candidates.read)) ?? statements.all(query);
  }

  async function filtered(query: NearestQuery, chunkCount: number): Promise<Hit[]> {
    if (chunkCount <= exactMatches) return statements.all(query);
    if (cache.has(query)) {
      const hits = await someOf(query, Math.ceil(exactShare * chunkCount));
      if (hits) return hits;
      // About a fifth of them is expected to pass.
      const found = await byMemory(query, 5 * candidates.remembered);
      if (found && found !== 'unsure') return found;
    }
    const hits = await someOf(query, exactMatches);
    if (hits) return hits;
    // About so many have as many among them that pass.
    const more = Math.ceil((candidates.read * chunkCount) / exactMatches);
    return (await byCodes(query, more)) ?? statements.all(query);
  }

  /** @returns nothing when more than `most` pass the filter */
  async function someOf(query: NearestQuery, most: number): Promise<Hit[] | undefined> {
    const hits = await statements.some(query, most + 1);
    return (hits[0]?.passed ?? 0) <= most ? hits : undefined;
  }
}

export type Nearest = ReturnType<typeof createNearest>;
