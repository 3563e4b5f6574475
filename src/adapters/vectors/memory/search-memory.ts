import { Query } from 'pg';
import { type Connects, withConnection } from '../../postgres/with-connection.ts';
import { createCodeKernel } from '../codes/code-kernel.ts';
import { SEGMENT_BYTES, SEGMENT_CODES } from '../codes/code-memory.ts';
import { DATASET_VERSION, type DatasetScope } from '../dataset-filter.ts';
import {
  createDatasetCache,
  type DatasetCacheOptions,
  type DatasetSource,
} from './dataset-cache.ts';
import { createDatasetMemory, type DatasetMemory, type IndexRow } from './dataset-memory.ts';
import { BYTES_A_CHUNK } from './term-lists.ts';

/** An in-memory cache of the datasets that are searched, which makes searches faster. */
export function createSearchMemory(pool: Connects, options: DatasetCacheOptions) {
  const kernel = createCodeKernel();
  const source: DatasetSource<DatasetMemory> = {
    bytesFor: (chunkCount) =>
      SEGMENT_BYTES * Math.ceil(chunkCount / SEGMENT_CODES) + BYTES_A_CHUNK * chunkCount,

    async read(scope) {
      const content = createDatasetMemory(kernel);
      try {
        const read = await readRows(pool, scope, content.add);
        content.terms.finish();
        // A dataset with chunks that are not indexed yet cannot be searched in memory.
        if (read?.chunkCount === content.codes.count) return { version: read.version, content };
      } catch (error) {
        content.free();
        throw error;
      }
      content.free();
      return undefined;
    },
  };
  return createDatasetCache(source, options);
}

export type SearchMemory = ReturnType<typeof createSearchMemory>;

/** Values of the dataset, which each row repeats. */
interface DatasetSummary {
  version: string;
  chunkCount: number;
}

/**
 * How long reading a dataset may take, in milliseconds. A large one takes longer than a statement of a
 * request may.
 */
const TIMEOUT_MS = 600_000;

/** The bytes of a bit string, without the length that precedes them. */
const SIGNS = 'substr(bit_send(signs), 5)';

/**
 * Reads all index rows of a dataset in one snapshot, including those of unlisted files.
 *
 * @returns nothing if the dataset does not exist or has no rows
 */
async function readRows(
  pool: Connects,
  { customerKey, datasetKey }: DatasetScope,
  take: (row: IndexRow) => void,
): Promise<DatasetSummary | undefined> {
  let summary: DatasetSummary | undefined;
  const query = new Query({
    text: `
      SELECT dataset.version, dataset.chunk_count AS "chunkCount",
        key::text, sign_factor AS "signFactor", ${SIGNS} AS signs, code, tokens AS "filterHashes",
        length, sparsevec_send(terms) AS terms, loader_key::text AS "loaderKey"
      FROM chunk_index, (
        SELECT ${DATASET_VERSION} AS version, chunk_count FROM dataset
        WHERE customer_key = $1 AND key = $2
      ) AS dataset
      WHERE customer_key = $1 AND dataset_key = $2`,
    values: [customerKey, datasetKey],
  });
  let failure: unknown;
  query.on('row', (row: IndexRow & DatasetSummary, result) => {
    // When a timeout is set, pg keeps all rows, and reports a failure to a callback but to no
    // listener.
    if (result) result.rows.length = 0;
    // An error thrown from this listener would end the process.
    try {
      if (failure === undefined) take(row);
    } catch (error) {
      failure = error;
    }
    summary ??= { version: row.version, chunkCount: row.chunkCount };
  });
  await withConnection(pool, async (client) => {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${TIMEOUT_MS}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const callback = (error: Error | null) => (error ? reject(error) : resolve());
    client.query(Object.assign(query, { callback, query_timeout: TIMEOUT_MS }));
    await promise;
    await client.query('COMMIT');
  });
  if (failure !== undefined) throw failure;
  return summary;
}
