import type { ChunkIndex, ChunkScope } from '../../ports/chunk-index.ts';
import type { Replica } from '../../ports/replica.ts';

/** An index that searches a replica of the database as long as it is not behind. */
export function createReplicaIndex<Index extends ChunkIndex>(
  primary: Index,
  copy: ChunkIndex,
  replica: Replica,
): Index {
  return {
    ...primary,
    search: (query) => from(query, (index) => index.search(query)),
    neighbours: (scope, keys, reach) =>
      from(scope, (index) => index.neighbours(scope, keys, reach)),
    documentFrequencies: (scope, words) =>
      from(scope, (index) => index.documentFrequencies(scope, words)),
  };

  async function from<T extends object>(
    { customerKey, datasetKey, version }: ChunkScope,
    read: (index: ChunkIndex) => Promise<T>,
  ): Promise<T> {
    if (version === undefined) return read(primary);
    const states = [{ customerKey, datasetKey, version }];
    return (await replica.read(states, () => read(copy))) ?? read(primary);
  }
}
