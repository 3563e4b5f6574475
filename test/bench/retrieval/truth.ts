import type { Filter } from '../../../src/core/filter.ts';
import type { JsonObject } from '../../../src/core/model.ts';
import { matchesFilters } from '../../support/matches-filters.ts';
import type { CorpusFile } from './corpus.ts';
import { nameOf } from './stores.ts';

interface Kept {
  name: string;
  metadata: JsonObject;
  vector: Float32Array;
}

/** What a search should find. */
export interface Expected {
  /** So many chunks. */
  count: number;
  /** Of these: more than the count where some are equally near, but for rounding. */
  names: Set<string>;
}

/** What is rounded while a cosine is worked out moves it by less. */
const ROUNDING = 1e-5;

/**
 * Knows what a search should find, by comparing every vector.
 *
 * @param halves whether vectors are stored, and asked, as half floats
 */
export function createTruth(halves: boolean) {
  const datasets = new Map<number, Kept[]>();
  const stored = (vector: Float32Array) =>
    halves ? Float32Array.from(Float16Array.from(vector)) : vector;

  return {
    keep({ dataset, chunks, vectors }: CorpusFile) {
      const kept = datasets.get(dataset) ?? [];
      datasets.set(dataset, kept);
      chunks.forEach(({ content, metadata }, at) => {
        const vector = vectors[at];
        if (vector) kept.push({ name: nameOf(content), metadata, vector: stored(vector) });
      });
    },

    /** How many chunks of a dataset pass filters. */
    passing: (dataset: number, filters: Filter[]): number => passingOf(dataset, filters).length,

    chunksOf: (dataset: number): Kept[] => datasets.get(dataset) ?? [],

    /** What a search may return: the chunks with the highest cosines among those that pass. */
    nearest(dataset: number, vector: Float32Array, filters: Filter[], limit: number): Expected {
      const asked = stored(vector);
      const passing = passingOf(dataset, filters);
      const cosines = Float64Array.from(passing, (kept) => dot(kept.vector, asked));
      const count = Math.min(limit, passing.length);
      const least = (cosines.toSorted().at(-count) ?? 0) - ROUNDING;
      const names = passing.filter((_, at) => (cosines[at] ?? 0) >= least).map(({ name }) => name);
      return { count, names: new Set(names) };
    },
  };

  function passingOf(dataset: number, filters: Filter[]): Kept[] {
    return (datasets.get(dataset) ?? []).filter(({ metadata }) =>
      matchesFilters(metadata, filters),
    );
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
