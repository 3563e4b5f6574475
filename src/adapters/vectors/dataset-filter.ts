import { Prisma } from '../../generated/prisma/client.ts';
import { createTokenizer, type Scalar } from './filter-tokens.ts';

const { empty, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/* SQL conditions for the rows that a statement may see. */

export interface DatasetScope {
  customerKey: number;
  datasetKey: number;
  /**
   * The approximate number of chunks, which decides how the dataset is searched. If unset, all
   * vectors are compared.
   */
  chunkCount?: number | undefined;
}

/** The chunks of a dataset that pass a filter. */
export interface DatasetFilter extends DatasetScope {
  /** The values that the metadata must contain. Types must match, too. */
  filter: Record<string, Scalar>;
}

/** An SQL expression for a row of `dataset`: the transaction that last changed it. */
export const DATASET_VERSION = 'xmin::text';

export function hasFilter({ filter }: DatasetFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The condition for the visible rows of a dataset, in any table with these columns. */
export function ofDataset({ customerKey, datasetKey }: DatasetScope): Sql {
  return sql`customer_key = ${customerKey} AND dataset_key = ${datasetKey} AND ${visible(customerKey)}`;
}

/** The condition for the rows of `chunk` that pass a filter. */
export function passing(query: DatasetFilter): Sql {
  const { customerKey, datasetKey, filter } = query;
  if (!hasFilter(query)) return ofDataset(query);
  // `+ 0` stops the planner from also reading an index for the whole dataset. Tokens include the
  // dataset.
  return sql`
    tokens @> ${createTokenizer(datasetKey)(filter)}::bigint[] ${andFilter(query)}
    AND customer_key + 0 = ${customerKey} AND dataset_key + 0 = ${datasetKey}
    AND ${visible(customerKey)}`;
}

export function andFilter(query: DatasetFilter): Sql {
  return hasFilter(query) ? sql`AND metadata @> ${JSON.stringify(query.filter)}::jsonb` : empty;
}

/**
 * An array of keys as a subquery, which hides their number from the planner: it need not estimate
 * each key.
 */
export function listOf(keys: bigint[]): Sql {
  return sql`ARRAY(SELECT unnest(${`{${keys}}`}::bigint[]))`;
}

/**
 * Excludes chunks of pending files. PostgreSQL hashes a subquery; it would scan an array for each
 * chunk.
 */
export function visible(customerKey: number): Sql {
  return sql`loader_key NOT IN (
    SELECT loader_key FROM pending_file WHERE customer_key = ${customerKey})`;
}
