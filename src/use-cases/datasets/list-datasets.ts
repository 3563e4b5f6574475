import { visibleDataset } from '../../core/authorize.ts';
import { parseDatasetCursor } from '../../core/cursor.ts';
import { memoize } from '../../core/memoize.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { isListed } from '../../sql/is-listed.ts';
import type { Dependencies } from '../dependencies.ts';
import { andMatchesFilters } from '../files/matches-filters.ts';
import type { Caller, UseCase } from '../guard.ts';
import { isDatasetId, readDatasetId } from '../input.ts';
import { type Page, readPage } from '../keyset.ts';
import { type PageInput, type PageSelection, readPageSelection } from '../page-input.ts';

const { empty, raw, sql } = Prisma;

type Deps = Pick<Dependencies, 'query'>;

export interface DatasetSummary {
  datasetId: string;
  embeddingModel: string;
  fileCount: number;
  created: Date;
}

export interface DatasetsInput extends PageInput {
  /** Only this one. */
  datasetId?: unknown;
}

/** A page of datasets, in the direction of reading. */
export interface DatasetPage extends Page<DatasetSummary> {
  /** The number of datasets that the caller may see. */
  total: () => Promise<number>;
}

type Selection = PageSelection<string> & { only: string | undefined };

/** The datasets that the caller may see, ordered by id: all of the customer's, or the token's. */
export function listDatasets(deps: Deps) {
  return {
    read: ({ datasetId, ...page }: DatasetsInput) => ({
      ...readPageSelection(page, parseDatasetCursor),
      only: readDatasetId(datasetId),
    }),

    async run(caller, { limit, after, before, backwards, only }): Promise<DatasetPage> {
      const page = await readPage(limit, (rows) =>
        readDatasets(
          deps,
          caller,
          sql`${only === undefined ? empty : sql`AND id = ${only}`}
            ${after === undefined ? empty : sql`AND id > ${after}`}
            ${before === undefined ? empty : sql`AND id < ${before}`}
            ORDER BY id ${raw(backwards ? 'DESC' : 'ASC')} LIMIT ${rows}`,
        ),
      );
      return { ...page, total: memoize(() => countDatasets(deps, caller)) };
    },
  } satisfies UseCase<'listDatasets', DatasetsInput, Selection, Promise<DatasetPage>>;
}

/**
 * Finds datasets by their ids. What does not exist, or is not visible to the caller, is missing in the
 * result, which has no order.
 */
export function findDatasets(deps: Deps) {
  return {
    read: ({ datasetIds }: { datasetIds: readonly string[] }) => datasetIds.filter(isDatasetId),
    run: (caller, datasetIds) =>
      readDatasets(deps, caller, sql`AND id = ANY(${datasetIds}::text[])`),
  } satisfies UseCase<
    'findDatasets',
    { datasetIds: readonly string[] },
    string[],
    Promise<DatasetSummary[]>
  >;
}

async function countDatasets({ query }: Deps, caller: Caller): Promise<number> {
  const [row] = await query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM dataset WHERE ${isVisible(caller)}`,
  );
  return row?.count ?? 0;
}

/** Reads the datasets that the caller may see. */
function readDatasets(
  { query }: Deps,
  caller: Caller,
  which: Prisma.Sql,
): Promise<DatasetSummary[]> {
  const { customerKey, filters } = caller;
  return query<DatasetSummary>(sql`
    SELECT id AS "datasetId", embedding_model AS "embeddingModel", created,
      (SELECT count(*)::int FROM file
        WHERE file.customer_key = ${customerKey} AND file.dataset_id = dataset.id
          AND ${isListed(customerKey)} ${andMatchesFilters(caller, filters)}) AS "fileCount"
    FROM dataset WHERE ${isVisible(caller)} ${which}`);
}

function isVisible({ customerKey, principal }: Caller): Prisma.Sql {
  const only = visibleDataset(principal);
  return sql`customer_key = ${customerKey}
    ${only === undefined ? empty : sql`AND id = ${only}`}`;
}
