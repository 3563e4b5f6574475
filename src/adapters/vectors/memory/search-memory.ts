import { type Pool, Query } from 'pg';
import { withConnection } from '../../postgres/with-connection.ts';
import {
  type CodeKernel,
  createCodeKernel,
  SEGMENT_BYTES,
  SEGMENT_CODES,
} from '../codes/code-kernel.ts';
import { DATASET_VERSION, type DatasetScope } from '../dataset-filter.ts';
import { createCodeList, type StoredCode } from './code-list.ts';
import {
  createDatasetCache,
  type DatasetCacheOptions,
  type DatasetSource,
  type Remembered,
} from './dataset-cache.ts';
import { createLoaderList } from './loader-list.ts';
import { BYTES_A_CHUNK, createTermLists } from './term-lists.ts';
import { createTokenList } from './token-list.ts';

/** An in-memory cache of the datasets that are searched, which makes searches faster. */
export function createSearchMemory(pool: Pool, options: DatasetCacheOptions) {
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

/** The cached content of one dataset. Each part stores what it needs from every row. */
function createDatasetMemory(kernel: CodeKernel) {
  const codes = createCodeList(kernel);
  const tokens = createTokenList();
  const terms = createTermLists();
  const loaders = createLoaderList();
  return {
    codes,
    tokens,
    terms,
    loaders,
    /**
     * The customer's pending files when they were last read. Searches compare them with the
     * database.
     */
    pending: { digest: null, loaderKeys: [] } as PendingFiles,
    get bytes() {
      return codes.bytes + tokens.bytes + terms.bytes + loaders.bytes;
    },
    add(row: IndexRow): void {
      codes.add(BigInt(row.key), row);
      tokens.add(row.tokens);
      terms.add(row.length, row.terms);
      loaders.add(row.loaderKey);
    },
    free: codes.free,
  } satisfies Remembered & Record<string, unknown>;
}

/** The loader runs of files that are being added or deleted, and a digest to detect changes. */
export interface PendingFiles {
  digest: string | null;
  loaderKeys: string[];
}

export type DatasetMemory = ReturnType<typeof createDatasetMemory>;

/** A row of `chunk_index`, as it is read. */
export interface IndexRow extends StoredCode {
  key: string;
  tokens: Buffer;
  length: number;
  terms: Buffer;
  loaderKey: string;
}

/** Values of the dataset, which each row repeats. */
interface DatasetFacts {
  version: string;
  chunkCount: number;
}

/** The bytes of a bit string, without the length that precedes them. */
const SIGNS = 'substr(bit_send(signs), 5)';

/**
 * Reads all index rows of a dataset in one snapshot, including those of pending files.
 *
 * @returns nothing if the dataset does not exist or has no rows
 */
async function readRows(
  pool: Pool,
  { customerKey, datasetKey }: DatasetScope,
  take: (row: IndexRow) => void,
): Promise<DatasetFacts | undefined> {
  let facts: DatasetFacts | undefined;
  const query = new Query({
    text: `
      SELECT dataset.version, dataset.chunk_count AS "chunkCount",
        key::text, sign_factor AS "signFactor", ${SIGNS} AS signs, code, tokens,
        length, sparsevec_send(terms) AS terms, loader_key::text AS "loaderKey"
      FROM chunk_index, (
        SELECT ${DATASET_VERSION} AS version, chunk_count FROM dataset
        WHERE customer_key = $1 AND key = $2
      ) AS dataset
      WHERE customer_key = $1 AND dataset_key = $2`,
    values: [customerKey, datasetKey],
  });
  let failure: unknown;
  query.on('row', (row: IndexRow & DatasetFacts, result) => {
    // When a timeout is set, pg keeps all rows, and reports a failure to a callback but to no
    // listener.
    if (result) result.rows.length = 0;
    // An error thrown from this listener would end the process.
    try {
      if (failure === undefined) take(row);
    } catch (error) {
      failure = error;
    }
    facts ??= { version: row.version, chunkCount: row.chunkCount };
  });
  await withConnection(pool, (client) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const callback = (error: Error | null) => (error ? reject(error) : resolve());
    client.query(Object.assign(query, { callback }));
    return promise;
  });
  if (failure !== undefined) throw failure;
  return facts;
}
