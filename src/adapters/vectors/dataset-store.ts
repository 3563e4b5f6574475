import type { Document } from '@langchain/core/documents';
import type { MaxMarginalRelevanceSearchOptions, VectorStore } from '@langchain/core/vectorstores';
import type { FilterValue } from '../../core/filter.ts';

/**
 * The public type of the store of a dataset: LangChain's `VectorStore` with the members that ours
 * declares, see `DatasetVectorStore`.
 */
export interface DatasetStore extends VectorStore {
  FilterType: StoreFilter;

  /**
   * Embeds documents as an upload would, with the name of the file and the headings, and adds them.
   *
   * @param documents each is added to the file that its `metadata.fileId` names
   * @throws Error when a document names no file of the dataset, or `options` names ids, which the
   *   database makes; then none is added
   */
  addDocuments(documents: Document[], options?: AddOptions): Promise<void>;

  /**
   * The same for documents with their vectors. They come after the existing chunks of their files, and get
   * the metadata that every chunk has about its file.
   */
  addVectors(
    vectors: (number[] | Float32Array)[],
    documents: Document[],
    options?: AddOptions,
  ): Promise<void>;

  /**
   * Deletes the chunks with these ids, or those that match a filter, which must not be empty. Ids of other
   * datasets, and of chunks that no longer exist, are ignored. Files stay.
   *
   * @throws Error while the dataset is being embedded by another model
   */
  delete(which: { ids?: string[]; filter?: StoreFilter }): Promise<void>;

  /** The documents nearest to a vector, with their cosine similarity, nearest first. */
  similaritySearchVectorWithScore(
    query: number[] | Float32Array,
    k: number,
    filter?: StoreFilter,
  ): Promise<[Document, number][]>;

  /** The same with the distance, too: the negative cosine similarity. */
  similaritySearchVectorWithScores(
    query: number[] | Float32Array,
    k: number,
    filter?: StoreFilter,
  ): Promise<[Document, { distance: number; similarity: number }][]>;

  /** Documents that are near a question and far from each other: `k` of the `fetchK` nearest. */
  maxMarginalRelevanceSearch(
    query: string,
    options: MaxMarginalRelevanceSearchOptions<StoreFilter>,
  ): Promise<Document[]>;
}

/** Metadata that chunks must have: all fields, including their types. */
export type StoreFilter = Record<string, FilterValue>;

export interface AddOptions {
  ids?: string[];
}
