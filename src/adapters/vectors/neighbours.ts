import { Prisma } from '../../generated/prisma/client.ts';
import type { Neighbour } from '../../ports/chunk-index.ts';
import type { Query } from '../../ports/query.ts';
import { type DatasetFilter, visible } from './dataset-filter.ts';

/**
 * Finds the chunks before and after some chunks in the same files, among those that pass the
 * filter.
 */
export function createNeighbours(query: Query) {
  return function neighbours(
    { customerKey, datasetKey, filter }: DatasetFilter,
    keys: string[],
    reach: number,
  ): Promise<Neighbour[]> {
    if (keys.length === 0) return Promise.resolve([]);
    return query<Neighbour>(Prisma.sql`
      WITH named AS MATERIALIZED (
        SELECT key, loader_key, position FROM chunk
        WHERE customer_key = ${customerKey} AND key = ANY (${`{${keys}}`}::bigint[])
          AND dataset_key + 0 = ${datasetKey} AND ${visible(customerKey)}
      )
      SELECT named.key::text AS "of", chunk.position - named.position AS distance,
        chunk.key::text AS key, chunk.content AS "pageContent"
      FROM named JOIN chunk ON chunk.customer_key = ${customerKey}
        AND chunk.loader_key = named.loader_key AND chunk.dataset_key = ${datasetKey}
        AND chunk.position BETWEEN named.position - ${reach}::int AND named.position + ${reach}::int
        AND chunk.key <> named.key
      WHERE chunk.metadata @> ${JSON.stringify(filter)}::jsonb
      ORDER BY named.key, distance`);
  };
}
