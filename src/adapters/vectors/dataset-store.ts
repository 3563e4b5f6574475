import type { VectorStore } from '@langchain/core/vectorstores';
import type { DatasetVectorStore } from './dataset-vector-store.ts';

/**
 * The public type of the store of a dataset: LangChain's `VectorStore` with the members that ours declares.
 * The base class of `DatasetVectorStore` is from a package that is not installed with this one.
 */
export type DatasetStore = VectorStore &
  Pick<
    DatasetVectorStore,
    | 'FilterType'
    | 'addDocuments'
    | 'addVectors'
    | 'delete'
    | 'maxMarginalRelevanceSearch'
    | 'similaritySearchVectorWithScore'
    | 'similaritySearchVectorWithScores'
  >;
