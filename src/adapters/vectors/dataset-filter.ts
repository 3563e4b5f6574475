import type { Filter, FilterValue } from '../../core/filter.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { matchesAll } from '../../sql/filter-conditions.ts';
import { isListed } from '../../sql/is-listed.ts';
import { createFilterHasher } from './filter-hashes.ts';

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
  filter: ChunkFilter;
}

/** Filters by how they are applied: those with an index, and all others. */
export interface ChunkFilter {
  /** The values that the metadata must contain. Types must match, too. */
  values: Record<string, FilterValue>;
  /** Conditions that must be checked on the metadata itself. All must match. */
  conditions: Filter[];
}

/** @param filters all must match */
export function toChunkFilter(filters: Filter[]): ChunkFilter {
  const values: ChunkFilter['values'] = Object.create(null);
  const conditions: Filter[] = [];
  add(filters);
  return { values, conditions };

  function add(required: Filter[]): void {
    for (const filter of required) {
      if (!('key' in filter)) {
        const { must = [], ...others } = filter;
        add(must);
        if (others.should || others.must_not) conditions.push(others);
      } else if ('match' in filter && 'value' in filter.match && !(filter.key in values)) {
        values[filter.key] = filter.match.value;
      } else {
        // Including a second value for the same key.
        conditions.push(filter);
      }
    }
  }
}

/**
 * An SQL expression for a row of `dataset`: the transaction that last changed it, and its table: Citus may
 * move the table to another server, which counts its own transactions.
 */
export const DATASET_VERSION = "concat(tableoid, ':', xmin)";

export function hasFilter({ filter: { values, conditions } }: DatasetFilter): boolean {
  return Object.keys(values).length > 0 || conditions.length > 0;
}

/** The condition for the visible rows of a dataset, in any table with these columns. */
export function ofDataset(scope: DatasetScope): Sql {
  return sql`${inDataset(scope)} AND ${isListed(scope.customerKey)}`;
}

function inDataset({ customerKey, datasetKey }: DatasetScope): Sql {
  return sql`customer_key = ${customerKey} AND dataset_key = ${datasetKey}`;
}

/** Where statements run. */
export interface Placement {
  /** Whether the tables are distributed over servers. Default: no. */
  isDistributed?: boolean | undefined;
}

/** The condition for the visible rows of `chunk` that pass a filter. */
export function passing(query: DatasetFilter, placement: Placement): Sql {
  return sql`${matching(query, placement)} AND ${isListed(query.customerKey)}`;
}

/** The condition for the rows of `chunk` that pass a filter, unlisted files included. */
export function matching(query: DatasetFilter, { isDistributed = false }: Placement): Sql {
  const { customerKey, datasetKey, filter } = query;
  if (Object.keys(filter.values).length === 0) return sql`${inDataset(query)} ${andFilter(query)}`;
  // `+ 0` stops the planner from also reading an index for the whole dataset. Hashes include the
  // dataset. A distributed database finds the server by the plain column.
  const customer = isDistributed ? sql`customer_key` : sql`customer_key + 0`;
  return sql`
    tokens @> ${createFilterHasher(datasetKey)(filter.values)}::bigint[] ${andFilter(query)}
    AND ${customer} = ${customerKey} AND dataset_key + 0 = ${datasetKey}`;
}

export function andFilter(query: DatasetFilter): Sql {
  const { conditions } = query.filter;
  return conditions.length > 0
    ? sql`${andValues(query)} AND ${matchesAll(conditions)}`
    : andValues(query);
}

/** The part of a filter whose text does not depend on the filter. */
export function andValues({ filter: { values } }: DatasetFilter): Sql {
  return Object.keys(values).length > 0
    ? sql`AND metadata @> ${JSON.stringify(values)}::jsonb`
    : empty;
}

/**
 * An array of keys as a subquery, which hides their number from the planner: it need not estimate
 * each key.
 */
export function listOf(keys: bigint[]): Sql {
  return sql`ARRAY(SELECT unnest(${`{${keys}}`}::bigint[]))`;
}
