import { Prisma } from '../../generated/prisma/client.ts';
import { createTokenizer, type Scalar } from './filter-tokens.ts';

const { empty, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/* Which rows of a table a statement may see: conditions of SQL. */

export interface DatasetScope {
  customerKey: number;
  datasetKey: number;
  /** How many chunks it has, about: that decides how it is searched. Unset, all are compared. */
  chunkCount?: number | undefined;
}

/** The chunks of a dataset that pass a filter. */
export interface DatasetFilter extends DatasetScope {
  /** What the metadata must have, type included. */
  filter: Record<string, Scalar>;
}

/** Of a row of `dataset`: the transaction that changed it last. */
export const DATASET_VERSION = 'xmin::text';

export function hasFilter({ filter }: DatasetFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** Of a table with these columns. */
export function ofDataset({ customerKey, datasetKey }: DatasetScope): Sql {
  return sql`customer_key = ${customerKey} AND dataset_key = ${datasetKey} AND ${visible(customerKey)}`;
}

/** Of `chunk`. */
export function passing(query: DatasetFilter): Sql {
  const { customerKey, datasetKey, filter } = query;
  if (!hasFilter(query)) return ofDataset(query);
  // With `+ 0` no list of the whole dataset is read beside the tokens' list, which names the dataset.
  return sql`
    tokens @> ${createTokenizer(datasetKey)(filter)}::bigint[] ${andFilter(query)}
    AND customer_key + 0 = ${customerKey} AND dataset_key + 0 = ${datasetKey}
    AND ${visible(customerKey)}`;
}

export function andFilter(query: DatasetFilter): Sql {
  return hasFilter(query) ? sql`AND metadata @> ${JSON.stringify(query.filter)}::jsonb` : empty;
}

/** Keys, of which the planner does not know how many there are: it weighs none of them. */
export function listOf(keys: bigint[]): Sql {
  return sql`ARRAY(SELECT unnest(${`{${keys}}`}::bigint[]))`;
}

/** Chunks of a file on its way in or out do not count. PostgreSQL hashes this list; an array it would go through for each chunk. */
export function visible(customerKey: number): Sql {
  return sql`loader_key NOT IN (
    SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey})`;
}
