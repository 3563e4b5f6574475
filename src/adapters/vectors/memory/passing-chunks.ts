import { hash } from 'node:crypto';
import { Prisma } from '../../../generated/prisma/client.ts';
import { DATASET_VERSION, type DatasetFilter, hasFilter, matching } from '../dataset-filter.ts';
import { hashesOfFilter } from '../index-rows.ts';
import { createRun, type StatementParts } from '../run-statement.ts';
import { addChunk, type ChunkSet, createChunkSet } from './chunk-set.ts';
import type { CachedDataset } from './dataset-cache.ts';
import type { DatasetMemory } from './dataset-memory.ts';
import { inSlices } from './in-slices.ts';
import { lowerBound } from './lower-bound.ts';

const { raw, sql } = Prisma;

/** How many chunks to examine before other work on the event loop may run. */
const SLICE = 50_000;

/**
 * Finds the chunks of a cached dataset that pass a filter. Values are found by their hashes in
 * memory, which may find a few chunks too many; all other conditions by the database, once for each
 * version of the dataset.
 */
export function createPassingChunks({
  pool,
  isDistributed,
}: Pick<StatementParts, 'pool' | 'isDistributed'>) {
  const run = createRun(pool);

  /**
   * @returns the chunks, which must not be changed; nothing without a filter; `outdated` if the
   *   dataset has changed since it was cached
   */
  return async function passingChunks(
    { content, version }: CachedDataset<DatasetMemory>,
    query: DatasetFilter,
  ): Promise<ChunkSet | 'outdated' | undefined> {
    if (!hasFilter(query)) return undefined;
    const { values, conditions } = query.filter;
    if (conditions.length === 0) {
      const packed = hashesOfFilter(query);
      return content.filtered.getOrFind(packed.toString('base64'), () =>
        content.filterHashes.passing(packed),
      );
    }
    const name = hash('sha1', JSON.stringify([values, conditions]));
    return content.filtered.getOrFind(name, () => findChunks(content, version, query));
  };

  async function findChunks(
    { codes }: DatasetMemory,
    version: string,
    query: DatasetFilter,
  ): Promise<ChunkSet | 'outdated'> {
    const { customerKey, datasetKey, chunkCount } = query;
    const [found] = await run<{ version: string | null; keys: Buffer | null }>(
      chunkCount,
      sql`
      SELECT string_agg(int8send(key), ''::bytea) AS keys,
        (SELECT ${raw(DATASET_VERSION)} FROM dataset
          WHERE customer_key = ${customerKey} AND key = ${datasetKey}) AS version
      FROM chunk WHERE ${matching(query, { isDistributed })}`,
    );
    if (found?.version !== version) return 'outdated';
    const passing = readKeys(found.keys ?? Buffer.alloc(0));
    const chunks = createChunkSet(codes.count);
    await inSlices(codes.count, SLICE, (from, to) => {
      for (let place = from; place < to; place++) {
        const key = codes.keyAt(place);
        if (passing[lowerBound(passing, key)] === key) addChunk(chunks, place);
      }
    });
    return chunks;
  }
}

export type PassingChunks = ReturnType<typeof createPassingChunks>;

/** In ascending order: finding them there takes half the time of making a set of them. */
function readKeys(packed: Buffer): BigInt64Array {
  const keys = new BigInt64Array(packed.length / 8);
  for (let at = 0; at < keys.length; at++) keys[at] = packed.readBigInt64BE(8 * at);
  return keys.sort();
}
