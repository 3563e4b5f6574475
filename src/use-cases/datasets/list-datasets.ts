import { visibleDataset } from '../../core/authorize.ts';
import { parseDatasetCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import { memoize } from '../../core/memoize.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import { isListed } from '../files/delete-intents.ts';
import type { Caller, UseCase } from '../guard.ts';
import { isDatasetId, readCursor, readDatasetId, readWholeNumber } from '../input.ts';
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
  /** The number of datasets that the caller may see. */
  total: () => Promise<number>;
}

/** The datasets that the caller may see, ordered by id: all of the customer's, or the token's. */
export function listDatasets(deps: Pick<Dependencies, 'query'>) {
  return {
    read: (input: DatasetsInput) => ({
      limit: readWholeNumber(input.limit, 'limit', RANGES.pageSize),
      after: readCursor(input.after, parseDatasetCursor),
      only: readDatasetId(input.datasetId),
    }),

    async run(caller, { limit, after, only }): Promise<DatasetPage> {
      const page = await readPage(limit, (rows) =>
        readDatasets(
          deps,
          caller,
          Prisma.sql`${only === undefined ? Prisma.empty : Prisma.sql`AND id = ${only}`}
            ${after === undefined ? Prisma.empty : Prisma.sql`AND id > ${after}`}
            ORDER BY id LIMIT ${rows}`,
        ),
      );
      return {
        datasets: page.items,
        hasNext: page.more,
        total: memoize(() => countDatasets(deps, caller)),
      };
    },
  } satisfies UseCase<
    'listDatasets',
    DatasetsInput,
    { limit: number; after: string | undefined; only: string | undefined },
    Promise<DatasetPage>
  >;
}

/**
 * Finds datasets by their ids. What does not exist, or is not visible to the caller, is missing in the
 * result, which has no order.
 */
export function findDatasets(deps: Pick<Dependencies, 'query'>) {
  return {
    read: ({ datasetIds }: { datasetIds: readonly string[] }) => datasetIds.filter(isDatasetId),
    run: (caller, datasetIds) =>
      readDatasets(deps, caller, Prisma.sql`AND id = ANY(${datasetIds}::text[])`),
  } satisfies UseCase<
    'findDatasets',
    { datasetIds: readonly string[] },
    string[],
    Promise<DatasetSummary[]>
  >;
}

async function countDatasets(
  { query }: Pick<Dependencies, 'query'>,
  caller: Caller,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    Prisma.sql`SELECT count(*)::int AS count FROM dataset WHERE ${isVisible(caller)}`,
  );
  return row?.count ?? 0;
}

/** Reads the datasets that the caller may see. */
function readDatasets(
  { query }: Pick<Dependencies, 'query'>,
  caller: Caller,
  which: Prisma.Sql,
): Promise<DatasetSummary[]> {
  const { customerKey } = caller;
  return query<DatasetSummary>(Prisma.sql`
    SELECT id AS "datasetId", embedding_model AS "embeddingModel", created,
      (SELECT count(*)::int FROM file
        WHERE file.customer_key = ${customerKey} AND file.dataset_id = dataset.id
          AND ${isListed(customerKey)}) AS "fileCount"
    FROM dataset WHERE ${isVisible(caller)} ${which}`);
}

function isVisible({ customerKey, principal }: Caller): Prisma.Sql {
  const only = visibleDataset(principal);
  return Prisma.sql`customer_key = ${customerKey}
    ${only === undefined ? Prisma.empty : Prisma.sql`AND id = ${only}`}`;
}
