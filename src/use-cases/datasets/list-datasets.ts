import { visibleDataset } from '../../core/authorize.ts';
import { parseDatasetCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import { isListed } from '../files/delete-intents.ts';
import type { UseCase } from '../guard.ts';
import { readCursor, readDatasetId, readWholeNumber } from '../input.ts';
import { readPage } from '../keyset.ts';

export interface DatasetSummary {
  datasetId: string;
  embeddingModel: string;
  fileCount: number;
  created: Date;
}

export interface DatasetsInput {
  /** Only this one. */
  datasetId?: unknown;
  /** The size of the page; see `RANGES`. */
  limit?: unknown;
  /** A cursor: only datasets after it. */
  after?: unknown;
}

export interface DatasetPage {
  datasets: DatasetSummary[];
  hasNext: boolean;
}

/** The datasets that the caller may see, ordered by id: all of the customer's, or the token's. */
export function listDatasets({ query }: Pick<Dependencies, 'query'>) {
  return {
    read: (input: DatasetsInput) => ({
      limit: readWholeNumber(input.limit, 'limit', RANGES.pageSize),
      after: readCursor(input.after, parseDatasetCursor),
      only: readDatasetId(input.datasetId),
    }),

    async run({ customerKey, principal }, { limit, after, only }): Promise<DatasetPage> {
      const named = [visibleDataset(principal), only].filter((id) => id !== undefined);
      const page = await readPage(limit, (rows) =>
        query<DatasetSummary>(Prisma.sql`
        SELECT id AS "datasetId", embedding_model AS "embeddingModel", created,
          (SELECT count(*)::int FROM file
            WHERE file.customer_key = ${customerKey} AND file.dataset_id = dataset.id
              AND ${isListed(customerKey)}) AS "fileCount"
        FROM dataset WHERE customer_key = ${customerKey}
          ${Prisma.join([Prisma.empty, ...named.map((id) => Prisma.sql`id = ${id}`)], ' AND ')}
          ${after === undefined ? Prisma.empty : Prisma.sql`AND id > ${after}`}
        ORDER BY id LIMIT ${rows}`),
      );
      return { datasets: page.items, hasNext: page.more };
    },
  } satisfies UseCase<
    'listDatasets',
    DatasetsInput,
    { limit: number; after: string | undefined; only: string | undefined },
    Promise<DatasetPage>
  >;
}
