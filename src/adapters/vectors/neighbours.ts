import { Prisma } from '../../generated/prisma/client.ts';
import type { Neighbour } from '../../ports/chunk-index.ts';
import { isListed } from '../../sql/is-listed.ts';
import { andFilter, type DatasetFilter } from './dataset-filter.ts';
import { createRun, type StatementParts } from './run-statement.ts';

/**
 * Finds the chunks before and after some chunks in the same files, among those that pass the
 * filter.
 */
export function createNeighbours({ pool, query: ask }: Pick<StatementParts, 'pool' | 'query'>) {
  const run = createRun(pool);

  return function neighbours(
    query: DatasetFilter,
    keys: string[],
    reach: number,
  ): Promise<Neighbour[]> {
    if (keys.length === 0) return Promise.resolve([]);
    const { customerKey, datasetKey, filter } = query;
    const statement = Prisma.sql`
      WITH named AS MATERIALIZED (
        SELECT key, loader_key, position FROM chunk
        WHERE customer_key = ${customerKey} AND key = ANY (${`{${keys}}`}::bigint[])
          AND dataset_key + 0 = ${datasetKey} AND ${isListed(customerKey)}
      )
      SELECT named.key::text AS "of", chunk.position - named.position AS distance,
        chunk.key::text AS key, chunk.content AS "pageContent"
      FROM named JOIN chunk ON chunk.customer_key = ${customerKey}
        AND chunk.loader_key = named.loader_key AND chunk.dataset_key = ${datasetKey}
        AND chunk.position BETWEEN named.position - ${reach}::int AND named.position + ${reach}::int
        AND chunk.key <> named.key
      WHERE true ${andFilter(query)}
      ORDER BY named.key, distance`;
    // Only statements with a fixed text are worth preparing.
    return filter.conditions.length > 0
      ? run<Neighbour>(undefined, statement)
      : ask<Neighbour>(statement);
  };
}
