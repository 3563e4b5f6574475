import { Prisma } from '../../generated/prisma/client.ts';
import type { DatasetState } from '../../ports/replica.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller } from '../guard.ts';

type Deps = Pick<Dependencies, 'query' | 'replica'>;

/**
 * Reads the files of datasets from the replica, if there is one that has every change that the
 * primary has now, and else from the primary.
 */
export function createReadDatasets({ query, replica }: Deps) {
  return async function readDatasets<T extends object>(
    { customerKey }: Caller,
    datasetIds: readonly string[],
    read: (from: Pick<Deps, 'query'>) => Promise<T>,
  ): Promise<T> {
    if (!replica) return read({ query });
    const states = await query<DatasetState>(Prisma.sql`
      SELECT customer_key AS "customerKey", key AS "datasetKey", version FROM dataset
      WHERE customer_key = ${customerKey} AND id = ANY(${datasetIds}::text[])`);
    // The replica may still have a dataset that was removed.
    const isComplete = states.length === new Set(datasetIds).size;
    const found = isComplete && (await replica.read(states, (query) => read({ query })));
    return found || read({ query });
  };
}
