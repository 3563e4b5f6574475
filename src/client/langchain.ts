import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { type Client, type ConnectionOptions, createClient, type SearchOptions } from './index.ts';

/** A client, or what one is made of, and how to search. */
export type FilequeryRetrieverOptions = BaseRetrieverInput &
  Pick<SearchOptions, 'datasetId' | 'filters' | 'limit' | 'mode'> &
  ({ client: Pick<Client, 'search'> } | ConnectionOptions);

/** A retriever of LangChain over REST. The metadata of a document also has its `score`. */
export class FilequeryRetriever extends BaseRetriever {
  static override lc_name() {
    return 'FilequeryRetriever';
  }

  override lc_namespace = ['filequery', 'retrievers'];
  readonly #client: Pick<Client, 'search'>;
  readonly #search: SearchOptions;

  constructor(options: FilequeryRetrieverOptions) {
    const { callbacks, tags, metadata, verbose } = options;
    super({ callbacks, tags, metadata, verbose });
    this.#client = 'client' in options ? options.client : createClient(options);
    const { datasetId, filters, limit, mode } = options;
    this.#search = { datasetId, filters, limit, mode };
  }

  override async _getRelevantDocuments(
    question: string,
    _run?: CallbackManagerForRetrieverRun,
  ): Promise<Document[]> {
    const hits = await this.#client.search(question, this.#search);
    return hits.map(
      ({ pageContent, metadata, score }) =>
        new Document({ pageContent, metadata: { ...metadata, score } }),
    );
  }
}
