import type { Chunk, DocumentFrequencies, Filter, SearchHit } from '../core/model.ts';
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
  /** How many chunks the dataset has, about. */
  chunkCount: number;
  /** All must match. */
  filters: Filter[];
}

/** Asks for the chunks nearest to a vector. */
export interface VectorQuery extends ChunkScope {
  mode?: 'vector';
  vector: Vector;
  /** The most hits to return. */
  limit: number;
}

/** Asks for the chunks with the words of a question, or for these and those nearest to its vector. */
export interface KeywordQuery extends Omit<VectorQuery, 'mode'> {
  mode: 'keyword' | 'hybrid';
  question: string;
}

/** A chunk that was found. */
export interface ChunkHit extends SearchHit {
  /** Names the chunk to this index. */
  key: string;
}

/** A chunk that stands near another in the same file. */
export interface Neighbour {
  /** The `key` of the other. */
  of: string;
  /** How many chunks after the other; negative before it, never 0. */
  distance: number;
  key: string;
  pageContent: string;
}

/** Finds chunks by their vectors and by their words. */
export interface ChunkIndex {
  /** Adds chunks of a pending file; they are found once the file is published. `vectors[i]` belongs to `chunks[i]`; chunks that are there stay. */
  add(scope: LoaderScope, chunks: Chunk[], vectors: Vector[]): Promise<void>;
  /**
   * The chunks that match the filters, best first; scores are cosine similarities in every mode.
   * `vector`: the nearest; never fewer than `limit` while more match. `keyword`: those that have a
   * word of the question, by BM25. `hybrid`: both rankings fused; as many as by vector.
   */
  search(query: VectorQuery | KeywordQuery): Promise<ChunkHit[]>;
  /** The chunks up to `reach` before and after each of some chunks, as far as they match the filters. */
  neighbours(scope: ChunkScope, keys: string[], reach: number): Promise<Neighbour[]>;
  /**
   * Counts the chunks that have words. A word that is several to the index, such as a run of
   * Chinese characters, counts as the rarest of them; one that is none, as found nowhere.
   */
  documentFrequencies(scope: ChunkScope, words: string[]): Promise<DocumentFrequencies>;
  /** Removes every chunk of the loader runs. */
  remove(customerKey: number, loaderKeys: bigint[]): Promise<void>;
  /**
   * Makes up for what chunks of earlier versions lack to be searched as quickly as others. May run
   * beside anything else, and in several gateways; what ends half-way goes on at the next call.
   *
   * @returns of how many chunks it did
   */
  complete(signal: AbortSignal): Promise<number>;
}
