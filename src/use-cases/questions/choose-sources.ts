import type { SearchHit } from '../../core/model.ts';
import { estimateTokens } from '../../core/token-estimate.ts';
import type { ChunkHit, ChunkScope, Neighbour } from '../../ports/chunk-index.ts';
import type { Dependencies } from '../dependencies.ts';
import { joinChunks } from './join-chunks.ts';

type Deps = Pick<Dependencies, 'index' | 'contextTokens'>;

/** Finds the best so many chunks, best first. */
type Find = (limit: number) => Promise<ChunkHit[]>;

/** Sources of an answer, if so many different chunks match. */
const SOURCES = { least: 5, most: 10 };
/** How many chunks are looked at: more where many of them are the same. */
const CANDIDATES = [20, 200];
/** In chunks before and after. */
const REACH = 2;

/**
 * Chooses what an answer is written from: the best chunks that differ, as many as the budget of
 * tokens takes but no fewer than 5; and what stands around the best of them in their files, while
 * there is budget left. What stands around a chunk is joined to its text, in the order of the file.
 *
 * @returns 5 to 10 if so many there are, by falling score
 */
export function createChooseSources({ index, contextTokens }: Deps) {
  return async function chooseSources(scope: ChunkScope, find: Find): Promise<SearchHit[]> {
    const hits = withinBudget(await findDistinct(find), contextTokens);
    const keys = hits.map(({ key }) => key);
    const neighbours = await index.neighbours(scope, keys, REACH);
    return widen(hits, neighbours, contextTokens).sort((one, other) => other.score - one.score);
  };
}

/** The best chunks, each text once. */
async function findDistinct(find: Find): Promise<ChunkHit[]> {
  let distinct: ChunkHit[] = [];
  for (const limit of CANDIDATES) {
    const hits = await find(limit);
    const wordings = new Set<string>();
    distinct = hits.filter((hit) => wordings.size < wordings.add(wordingOf(hit)).size);
    if (distinct.length >= SOURCES.least || hits.length < limit) break;
  }
  return distinct;
}

function wordingOf({ pageContent }: { pageContent: string }): string {
  return pageContent.replace(/\s+/g, ' ').trim();
}

/** The first of them, and as many more as the budget takes. */
function withinBudget(hits: ChunkHit[], budget: number): ChunkHit[] {
  let tokens = 0;
  return hits.slice(0, SOURCES.most).filter(({ pageContent }, at) => {
    const size = estimateTokens(pageContent);
    if (at >= SOURCES.least && tokens + size > budget) return false;
    tokens += size;
    return true;
  });
}

/** Joins neighbours to the chunks, those of the best chunk first, each of them once. */
function widen(hits: ChunkHit[], neighbours: Neighbour[], budget: number): SearchHit[] {
  const taken = new Set(hits.map(({ key }) => key));
  const wordings = new Set(hits.map(wordingOf));
  const tokensOfHits = hits.reduce((sum, hit) => sum + estimateTokens(hit.pageContent), 0);
  let left = budget - tokensOfHits;

  function take(neighbour: Neighbour | undefined): neighbour is Neighbour {
    if (!neighbour || taken.has(neighbour.key)) return false;
    const [size, wording] = [estimateTokens(neighbour.pageContent), wordingOf(neighbour)];
    if (size > left || wordings.has(wording)) return false;
    left -= size;
    taken.add(neighbour.key);
    wordings.add(wording);
    return true;
  }

  const byHit = Map.groupBy(neighbours, ({ of }) => of);
  return hits.map(({ key, score, pageContent, metadata }) => {
    const around = new Map(byHit.get(key)?.map((one) => [one.distance, one]));
    const texts = [pageContent];
    for (const direction of [1, -1]) {
      for (let step = 1; step <= REACH; step++) {
        const neighbour = around.get(direction * step);
        if (!take(neighbour)) break;
        texts.splice(direction > 0 ? texts.length : 0, 0, neighbour.pageContent);
      }
    }
    return { score, pageContent: joinChunks(texts), metadata };
  });
}
