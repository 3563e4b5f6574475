import type { SearchHit } from '../../core/model.ts';
import { estimateTokens } from '../../core/token-estimate.ts';
import type { ChunkHit, ChunkScope, Neighbour } from '../../ports/chunk-index.ts';
import type { Dependencies } from '../dependencies.ts';
import { joinChunks } from './join-chunks.ts';

type Deps = Pick<Dependencies, 'index' | 'contextTokens'>;

/** Finds the best `limit` chunks, best first. */
type Find = (limit: number) => Promise<ChunkHit[]>;

/** The number of sources, if enough distinct chunks match. */
const SOURCES = { least: 5, most: 10 };
/** How many chunks to retrieve. The next limit is used if too many of the chunks before are duplicates. */
const CANDIDATES = [20, 200, 2_000];
/** Neighbouring chunks to consider on each side. */
const MAX_DISTANCE = 2;

/**
 * Chooses the sources of an answer: the best distinct chunks within the token budget, but at least
 * 5. The remaining budget is filled with neighbouring chunks of the same files, which are joined to
 * the text of the chunk in the order of the file.
 *
 * @returns 5 to 10 sources, fewer if fewer chunks match, in descending order of score
 */
export function createChooseSources({ index, contextTokens }: Deps) {
  return async function chooseSources(scope: ChunkScope, find: Find): Promise<SearchHit[]> {
    const hits = withinBudget(await findDistinct(find), contextTokens);
    const keys = hits.map(({ key }) => key);
    const neighbours = await index.neighbours(scope, keys, MAX_DISTANCE);
    return widen(hits, neighbours, contextTokens).sort((one, other) => other.score - one.score);
  };
}

/** The best chunks, without duplicates. */
async function findDistinct(find: Find): Promise<ChunkHit[]> {
  let distinct: ChunkHit[] = [];
  for (const limit of CANDIDATES) {
    const hits = await find(limit);
    const texts = new Set<string>();
    distinct = hits.filter((hit) => texts.size < texts.add(normalise(hit)).size);
    if (distinct.length >= SOURCES.least || hits.length < limit) break;
  }
  return distinct;
}

/**
 * Every run of white space becomes one space; a single space is left unchanged, which is five times as fast.
 */
function normalise({ pageContent }: { pageContent: string }): string {
  return pageContent.replace(/[^\S ]\s*| \s+/g, ' ').trim();
}

/** The first 5, and up to 5 more that fit in the budget. */
function withinBudget(hits: ChunkHit[], budget: number): ChunkHit[] {
  let tokens = 0;
  return hits.slice(0, SOURCES.most).filter(({ pageContent }, at) => {
    const size = estimateTokens(pageContent);
    if (at >= SOURCES.least && tokens + size > budget) return false;
    tokens += size;
    return true;
  });
}

/** Joins neighbours to the chunks, starting with the best chunk. Each neighbour is used once. */
function widen(hits: ChunkHit[], neighbours: Neighbour[], budget: number): SearchHit[] {
  const taken = new Set(hits.map(({ key }) => key));
  const texts = new Set(hits.map(normalise));
  const tokensOfHits = hits.reduce((sum, hit) => sum + estimateTokens(hit.pageContent), 0);
  let left = budget - tokensOfHits;

  function take(neighbour: Neighbour | undefined): neighbour is Neighbour {
    if (!neighbour || taken.has(neighbour.key)) return false;
    const size = estimateTokens(neighbour.pageContent);
    if (size > left) return false;
    const text = normalise(neighbour);
    if (texts.has(text)) return false;
    left -= size;
    taken.add(neighbour.key);
    texts.add(text);
    return true;
  }

  const byHit = Map.groupBy(neighbours, ({ of }) => of);
  return hits.map(({ key, score, pageContent, metadata }) => {
    const around = new Map(byHit.get(key)?.map((one) => [one.distance, one]));
    const parts = [pageContent];
    for (const direction of [1, -1]) {
      for (let step = 1; step <= MAX_DISTANCE; step++) {
        const neighbour = around.get(direction * step);
        if (!take(neighbour)) break;
        parts.splice(direction > 0 ? parts.length : 0, 0, neighbour.pageContent);
      }
    }
    return { score, pageContent: joinChunks(parts), metadata };
  });
}
