import { stem } from '../../../src/adapters/text-analysis/stemming.ts';
import { wordsOf } from '../../../src/adapters/text-analysis/words.ts';
import type { Filter } from '../../../src/core/filter.ts';
import type { JsonObject } from '../../../src/core/model.ts';
import { searchableText } from '../../../src/core/searchable-text.ts';
import { matchesFilters } from '../../support/matches-filters.ts';
import type { Asked, TextFile } from './corpus.ts';

interface Kept extends Asked {
  metadata: JsonObject;
  length: number;
}

interface KeptDataset {
  chunks: Kept[];
  /** How often each stem is in which chunks. */
  lists: Map<string, Map<number, number>>;
}

/** Knows what a search by words should find: BM25 by the stems themselves, with nothing rounded. */
export function createKeywordTruth() {
  const datasets = new Map<number, KeptDataset>();

  return {
    keep({ dataset, loaderKey, chunks, vectors }: TextFile) {
      const known: KeptDataset = datasets.get(dataset) ?? { chunks: [], lists: new Map() };
      datasets.set(dataset, known);
      const { chunks: kept, lists } = known;
      for (const [at, chunk] of chunks.entries()) {
        const words = wordsOf(searchableText(chunk)).map(stem);
        for (const word of words) {
          const list = lists.get(word) ?? new Map<number, number>();
          lists.set(word, list.set(kept.length, (list.get(kept.length) ?? 0) + 1));
        }
        const vector = vectors[at] ?? new Float32Array();
        const file = `file-${loaderKey}`;
        kept.push({ ...chunk, file, vector, length: words.length });
      }
    },

    chunksOf: (dataset: number): Asked[] => datasets.get(dataset)?.chunks ?? [],

    /** The contents of the chunks with the highest BM25 among those that pass, and their scores. */
    best(dataset: number, question: string, filters: Filter[], limit: number) {
      const { chunks = [], lists } = datasets.get(dataset) ?? {};
      const passes = chunks.map(({ metadata }) => matchesFilters(metadata, filters));
      const passing = chunks.filter((_, at) => passes[at]);
      const average = passing.reduce((sum, { length }) => sum + length, 0) / passing.length;
      const scores = new Map<number, number>();
      for (const word of new Set(wordsOf(question).map(stem))) {
        const list = [...(lists?.get(word) ?? [])].filter(([at]) => passes[at]);
        const rarity = Math.log(1 + (passing.length - list.length + 0.5) / (list.length + 0.5));
        for (const [at, times] of list) {
          const norm = 1.2 * (0.25 + (0.75 * (chunks[at]?.length ?? 0)) / average);
          scores.set(at, (scores.get(at) ?? 0) + (rarity * times * 2.2) / (times + norm));
        }
      }
      return [...scores]
        .sort(([, a], [, b]) => b - a)
        .slice(0, limit)
        .map(([at, score]) => ({ content: chunks[at]?.content ?? '', score }));
    },

    /** How many chunks pass. */
    count: (dataset: number, filters: Filter[]) =>
      (datasets.get(dataset)?.chunks ?? []).filter(({ metadata }) =>
        matchesFilters(metadata, filters),
      ).length,
  };
}
