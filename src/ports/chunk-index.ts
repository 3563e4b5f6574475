import type { Filter } from '../core/filter.ts';
import type { Chunk, DocumentFrequencies, SearchHit } from '../core/model.ts';
import type { Vector } from './language-model.ts';

/** The chunks of one loader run: they belong to one file of one dataset. */
export interface LoaderScope {
  customerKey: number;
  datasetKey: number;
  loaderKey: bigint;
}

/** The chunks of a dataset that match filters. */
export interface ChunkScope {
  customerKey: number;
  datasetKey: number;
  /** The number of the last change that the search must see; without it, no replica is read. */
  version?: number | undefined;
  /** The approximate number of chunks in the dataset. */
  chunkCount: number;
  /** All filters must match. */
  filters: Filter[];
}

/** A query for the chunks nearest to a vector. */
export interface VectorQuery extends ChunkScope {
  mode?: 'vector';
  vector: Vector;
  /** The maximum number of hits. */
  limit: number;
}

/**
 * A query for the chunks with the words of a question, or for a combination of these and the
 * nearest.
 */
export interface KeywordQuery extends Omit<VectorQuery, 'mode'> {
  mode: 'keyword' | 'hybrid';
  question: string;
}

/** A chunk found by a search. */
export interface ChunkHit extends SearchHit {
  /** Identifies the chunk in this index. */
  key: string;
}

/** A chunk near another chunk in the same file. */
export interface Neighbour {
  /** The `key` of the other chunk. */
  of: string;
  /** The position relative to the other chunk: positive after it, negative before it, never 0. */
  distance: number;
  key: string;
  pageContent: string;
}

/** Finds chunks by their vectors and by their words. */
export interface ChunkIndex {
  /**
   * Adds chunks of a staged file. They can be found once the file is published. Existing chunks
   * stay.
   *
   * @param vectors `vectors[i]` belongs to `chunks[i]`
   */
  add(scope: LoaderScope, chunks: Chunk[], vectors: Vector[]): Promise<void>;
  /**
   * Returns the chunks that match the filters, best first. Scores are cosine similarities in every
   * mode. `vector`: the nearest chunks; fewer than `limit` only if fewer match. `keyword`: the
   * chunks that have a word of the question, ranked by BM25. `hybrid`: both rankings combined; as
   * many hits as in mode `vector`.
   */
  search(query: VectorQuery | KeywordQuery): Promise<ChunkHit[]>;
  /**
   * Returns up to `reach` chunks before and after each of the chunks with these keys, if they match
   * the filters.
   */
  neighbours(scope: ChunkScope, keys: string[], reach: number): Promise<Neighbour[]>;
  /**
   * Counts the chunks that contain each word. If the index splits a word into several, such as a
   * run of Chinese characters, the count is that of the rarest. If the index ignores it, it is 0.
   */
  documentFrequencies(scope: ChunkScope, words: string[]): Promise<DocumentFrequencies>;
  /** Removes all chunks of the loader runs. */
  remove(customerKey: number, loaderKeys: bigint[]): Promise<void>;
  /**
   * Adds the index data that chunks from earlier versions lack, which makes them as fast to search
   * as others. It may run at any time, and in several gateways. If interrupted, the next call
   * continues.
   *
   * @returns the number of chunks completed
   */
  complete(signal: AbortSignal): Promise<number>;
}
