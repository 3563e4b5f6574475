import { once } from 'node:events';
import { LRUCache } from 'lru-cache';
import { type Pool, Query } from 'pg';
import type { DatasetScope } from '../statements.ts';
import { createCodeKernel, RECORD } from './code-kernel.ts';
import { type CodeList, createCodeList } from './code-list.ts';

export interface CodeCacheOptions {
  /** How much memory codes take at most. */
  bytes: number;
  /** Milliseconds for which a dataset must not have been asked to make way for another; 60,000 by default. */
  idle?: number;
}

/** A dataset that changes is read again after so many times as long as reading it took. */
const PAUSE = 20;

/** Of a row of `dataset`: the transaction that changed it last. */
export const DATASET_VERSION = 'xmin::text';

interface Entry {
  codes: CodeList;
  /** What the dataset's row said of its last change. */
  version: string;
  borrowed: number;
  /** Whether its memory is given back once nobody has it. */
  dropped: boolean;
  used: number;
}

/** The codes of a dataset, for as long as they are not disposed of. */
export interface BorrowedCodes extends Disposable, Pick<CodeList, 'compare'> {
  version: string;
}

/**
 * Keeps the codes of the datasets that are asked in memory. Nothing is kept up to date: a dataset's
 * row changes with its chunks, in the same transaction, so that its version tells whether codes
 * are still all there are. What has changed is read again in the background when it is asked for.
 */
export function createCodeCache(pool: Pool, { bytes, idle = 60_000 }: CodeCacheOptions) {
  const kernel = createCodeKernel();
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, bytes),
    sizeCalculation: ({ codes }) => Math.max(1, codes.count * RECORD.bytes),
    dispose: (entry) => {
      entry.dropped = true;
      if (entry.borrowed === 0) entry.codes.free();
    },
  });
  const pausing = new LRUCache<string, true>({ max: 1_000 });
  let reading: Promise<void> | undefined;

  return {
    /** Whether the codes of a dataset are here; else they will be later. */
    has(scope: DatasetScope): boolean {
      const isHere = entries.has(nameOf(scope));
      if (!isHere) {
        reading ??= read(scope).finally(() => {
          reading = undefined;
        });
      }
      return isHere;
    },

    /** The codes of a dataset, if they are here; else they will be later. */
    borrow(scope: DatasetScope): BorrowedCodes | undefined {
      const entry = this.has(scope) ? entries.get(nameOf(scope)) : undefined;
      if (!entry) return undefined;
      entry.borrowed++;
      entry.used = performance.now();
      return {
        compare: entry.codes.compare,
        version: entry.version,
        [Symbol.dispose]() {
          entry.borrowed--;
          if (entry.dropped && entry.borrowed === 0) entry.codes.free();
        },
      };
    },

    /** For codes that are not all there are any more. */
    drop(scope: DatasetScope): void {
      entries.delete(nameOf(scope));
    },

    /** Resolves when nothing is being read. */
    settled: async (): Promise<void> => reading,
  };

  /** Reads the codes of a dataset if there is room for them; never fails. */
  async function read(scope: DatasetScope): Promise<void> {
    const name = nameOf(scope);
    if (pausing.has(name) || !makeRoom((scope.chunkCount ?? 0) * RECORD.bytes)) return;
    const start = performance.now();
    const codes = createCodeList(kernel);
    try {
      const version = await readCodes(pool, scope, (records) => codes.add(records));
      if (version === undefined) return codes.free();
      entries.set(name, { codes, version, borrowed: 0, dropped: false, used: start });
    } catch {
      // Searches do without, and say what is wrong with the database if it is.
      codes.free();
    } finally {
      pausing.set(name, true, { ttl: Math.ceil(PAUSE * (performance.now() - start)) });
    }
  }

  function makeRoom(needed: number): boolean {
    if (needed > bytes) return false;
    // The one that was not asked for the longest time comes first.
    for (const name of [...entries.rkeys()]) {
      if (entries.calculatedSize + needed <= bytes) break;
      const used = entries.peek(name)?.used ?? 0;
      if (performance.now() - used < idle) return false;
      entries.delete(name);
    }
    return true;
  }
}

function nameOf({ customerKey, datasetKey }: DatasetScope): string {
  return `${customerKey}/${datasetKey}`;
}

export type CodeCache = ReturnType<typeof createCodeCache>;

/**
 * Reads all codes of a dataset, also those of files on their way.
 *
 * @param take is given records, many at a time
 * @returns the version of the dataset that has just these; nothing when it has none
 */
async function readCodes(
  pool: Pool,
  { customerKey, datasetKey }: DatasetScope,
  take: (records: Uint8Array) => void,
): Promise<string | undefined> {
  let version: string | undefined;
  const query = new Query({
    text: `
      SELECT (SELECT ${DATASET_VERSION} FROM dataset WHERE customer_key = $1 AND key = $2) AS version,
        string_agg(int8send(key) || bit_send(code), '') AS records
      FROM chunk WHERE customer_key = $1 AND dataset_key = $2 GROUP BY key >> 10`,
    values: [customerKey, datasetKey],
  });
  query.on('row', (row: { version: string | null; records: Buffer }) => {
    version = row.version ?? undefined;
    take(row.records);
  });
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await once(client.query(query), 'end');
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
  return version;
}
