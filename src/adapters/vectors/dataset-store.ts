import type { VectorStore } from '@langchain/core/vectorstores';
import type { DatasetVectorStore } from './dataset-vector-store.ts';

/**
 * The store of a dataset, as programs see it: LangChain's `VectorStore` with what ours declares. The
 * base class of `DatasetVectorStore` is of a package that is not installed with this one.
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
