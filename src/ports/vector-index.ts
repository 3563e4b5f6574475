import type { Chunk, Filter, SearchHit } from '../core/model.ts';
import type { Vector } from './language-model.ts';

/** The chunks of one loader run: they belong to one file of one dataset. */
export interface LoaderScope {
  customerKey: number;
  datasetKey: number;
  loaderKey: bigint;
}

export interface VectorQuery {
  customerKey: number;
  datasetKey: number;
  /** How many chunks the dataset has, about. */
  chunkCount: number;
  vector: Vector;
  /** All must match. */
  filters: Filter[];
  /** The most hits to return. */
  limit: number;
}

/** Finds the chunks nearest to a vector. */
export interface VectorIndex {
  /** Adds chunks of a pending file; they are found once the file is published. `vectors[i]` belongs to `chunks[i]`; chunks that are there stay. */
  add(scope: LoaderScope, chunks: Chunk[], vectors: Vector[]): Promise<void>;
  /** The chunks that match the filters, nearest first: never fewer than `limit` while more match. */
  search(query: VectorQuery): Promise<SearchHit[]>;
  /** Removes every chunk of the loader runs. */
  remove(customerKey: number, loaderKeys: bigint[]): Promise<void>;
}
