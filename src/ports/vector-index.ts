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
  /** Whether there is a graph of them. */
  hasGraph?: boolean;
  vector: Vector;
  /** All must match. */
  filters: Filter[];
  /** The most hits to return. */
  limit: number;
}

/** What searches along a graph find, beside searches without. */
export interface GraphComparison {
  questions: number;
  /** How much of what they find without it they find with it, 0 to 1. */
  recall: number;
  /** Of a search, the median. */
  milliseconds: { without: number; with: number };
}

/** Finds the chunks nearest to a vector. */
export interface VectorIndex {
  /** Adds chunks of a pending file; they are found once the file is published. `vectors[i]` belongs to `chunks[i]`; chunks that are there stay. */
  add(scope: LoaderScope, chunks: Chunk[], vectors: Vector[]): Promise<void>;
  /** The chunks that match the filters, nearest first: never fewer than `limit` while more match. */
  search(query: VectorQuery): Promise<SearchHit[]>;
  /** Removes every chunk of the loader runs. */
  remove(customerKey: number, loaderKeys: bigint[]): Promise<void>;
  /** Builds, or builds anew, a graph of a dataset's chunks, along which searches without filters go. */
  buildGraph(scope: { customerKey: number; datasetKey: number }): Promise<void>;
  /** Removes a graph, should there be one. */
  dropGraph(datasetKey: number): Promise<void>;
  /** Asks so many questions with the graph and without. */
  compareGraph(
    scope: { customerKey: number; datasetKey: number; chunkCount: number },
    questions: number,
  ): Promise<GraphComparison>;
}
