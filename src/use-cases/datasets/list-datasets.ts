import { z } from 'zod';
import { visibleDataset } from '../../core/authorize.ts';
import { RANGES } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import { isListed } from '../files/delete-intents.ts';
import type { UseCase } from '../guard.ts';
import { isStorable, readDatasetId, readInput, readWholeNumber } from '../input.ts';

export interface DatasetSummary {
  datasetId: string;
  embeddingModel: string;
  fileCount: number;
  created: Date;
}

export interface DatasetsInput {
  /** Only this one. */
  datasetId?: unknown;
  /** Datasets a page, 1 to 1000; 100 unless given. */
  limit?: unknown;
  /** Only what comes after the dataset with this id. */
  after?: unknown;
}

export interface DatasetPage {
  datasets: DatasetSummary[];
  hasNext: boolean;
}

const cursor = z
  .string('cursor must be a string')
  .refine(isStorable, 'cursor is not one that a list has given')
  .nullish();

/** The datasets that the caller may see, by id: all of the customer's, or a token's one. */
export function listDatasets({ query }: Pick<Dependencies, 'query'>) {
  return {
    read: (input: DatasetsInput) => ({
      limit: readWholeNumber(input.limit, 'limit', RANGES.pageSize),
      after: readInput(cursor, input.after) ?? undefined,
      only: readDatasetId(input.datasetId),
    }),

    async run({ customerKey, principal }, { limit, after, only }): Promise<DatasetPage> {
      const named = [visibleDataset(principal), only].filter((id) => id !== undefined);
      const datasets = await query<DatasetSummary>(Prisma.sql`
        SELECT id AS "datasetId", embedding_model AS "embeddingModel", created,
          (SELECT count(*)::int FROM file
            WHERE file.customer_key = ${customerKey} AND file.dataset_id = dataset.id
              AND ${isListed(customerKey)}) AS "fileCount"
        FROM dataset WHERE customer_key = ${customerKey}
          ${Prisma.join([Prisma.empty, ...named.map((id) => Prisma.sql`id = ${id}`)], ' AND ')}
          ${after === undefined ? Prisma.empty : Prisma.sql`AND id > ${after}`}
        ORDER BY id LIMIT ${limit + 1}`);
      return { datasets: datasets.slice(0, limit), hasNext: datasets.length > limit };
    },
  } satisfies UseCase<
    'listDatasets',
    DatasetsInput,
    { limit: number; after: string | undefined; only: string | undefined },
    Promise<DatasetPage>
  >;
}
