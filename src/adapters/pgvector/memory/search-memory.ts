import { once } from 'node:events';
import { type Pool, Query } from 'pg';
import { withConnection } from '../../database/with-connection.ts';
import { DATASET_VERSION, type DatasetScope } from '../statements.ts';
import { createCodeKernel, RECORD } from './code-kernel.ts';
import { createCodeList } from './code-list.ts';
import {
  createDatasetCache,
  type DatasetCacheOptions,
  type DatasetSource,
  type Remembered,
} from './dataset-cache.ts';

/** What a gateway remembers of the datasets that are asked, to search them sooner. */
export function createSearchMemory(pool: Pool, options: DatasetCacheOptions) {
  const kernel = createCodeKernel();
  const source: DatasetSource<DatasetMemory> = {
    bytesFor: (chunkCount) => chunkCount * RECORD.bytes,

    async read(scope) {
      const content = createDatasetMemory(kernel);
      try {
        const version = await readRows(pool, scope, content.add);
        if (version !== undefined) return { version, content };
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

/** What is remembered of one dataset; its parts take what they need of each row. */
function createDatasetMemory(kernel: ReturnType<typeof createCodeKernel>) {
  const codes = createCodeList(kernel);
  return {
    codes,
    get bytes() {
      return codes.count * RECORD.bytes;
    },
    add({ records }: DatasetRow): void {
      codes.add(records);
    },
    free: codes.free,
  } satisfies Remembered & Record<string, unknown>;
}

export type DatasetMemory = ReturnType<typeof createDatasetMemory>;

/** Many chunks of a dataset. */
interface DatasetRow {
  version: string | null;
  records: Buffer;
}

/**
 * Reads all that is remembered of a dataset, also of files on their way.
 *
 * @returns the version of the dataset that has just this; nothing when it has no chunks
 */
async function readRows(
  pool: Pool,
  { customerKey, datasetKey }: DatasetScope,
  take: (row: DatasetRow) => void,
): Promise<string | undefined> {
  let version: string | undefined;
  const query = new Query({
    text: `
      SELECT (SELECT ${DATASET_VERSION} FROM dataset WHERE customer_key = $1 AND key = $2) AS version,
        string_agg(int8send(key) || bit_send(code), '') AS records
      FROM chunk WHERE customer_key = $1 AND dataset_key = $2 GROUP BY key >> 10`,
    values: [customerKey, datasetKey],
  });
  let failure: unknown;
  query.on('row', (row: DatasetRow) => {
    version = row.version ?? undefined;
    // Thrown out of here, what fails would end the process.
    try {
      if (failure === undefined) take(row);
    } catch (error) {
      failure = error;
    }
  });
  await withConnection(pool, (client) => once(client.query(query), 'end'));
  if (failure !== undefined) throw failure;
  return version;
}
