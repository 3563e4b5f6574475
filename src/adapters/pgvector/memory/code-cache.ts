import { once } from 'node:events';
import { LRUCache } from 'lru-cache';
import { type Pool, Query } from 'pg';
import { withConnection } from '../../database/with-connection.ts';
import { DATASET_VERSION, type DatasetScope } from '../statements.ts';
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

interface Entry {
  codes: CodeList;
  /** What the dataset's row said of its last change. */
  version: string;
  /** How many searches have them; a list that is dropped is freed by the last of them. */
  borrowed: number;
  /** When they were asked for last. */
  used: number;
}

/** The codes of a dataset, for as long as they are not disposed of. */
export interface BorrowedCodes extends Disposable, Pick<CodeList, 'compare'> {
  version: string;
  /** For codes that turn out not to be all there are any more: nobody gets them again. */
  drop(): void;
}

/**
 * Keeps the codes of the datasets that are asked in memory. Nothing is kept up to date: a dataset's
 * row changes with its chunks, in the same transaction, so that its version tells whether codes
 * are still all there are. What has changed is read again in the background when it is asked for.
 */
export function createCodeCache(pool: Pool, { bytes, idle = 60_000 }: CodeCacheOptions) {
  const kernel = createCodeKernel();
  /** The one that was not asked for the longest time comes first. */
  const entries = new Map<string, Entry>();
  const pausing = new LRUCache<string, true>({ max: 1_000 });
  let reading: Promise<void> | undefined;

  return {
    has,

    borrow(scope: DatasetScope): BorrowedCodes | undefined {
      const name = nameOf(scope);
      const entry = has(scope) && entries.get(name);
      if (!entry) return undefined;
      entries.delete(name);
      entries.set(name, entry);
      entry.borrowed++;
      entry.used = performance.now();
      return {
        compare: entry.codes.compare,
        version: entry.version,
        drop: () => drop(name, entry),
        [Symbol.dispose]() {
          entry.borrowed--;
          if (entries.get(name) !== entry) free(entry);
        },
      };
    },

    /** Resolves when nothing is being read. */
    settled: async (): Promise<void> => reading,
  };

  /** Whether the codes of a dataset are here; if not, they are read, should there be room. */
  function has(scope: DatasetScope): boolean {
    if (entries.has(nameOf(scope))) return true;
    reading ??= read(scope).finally(() => {
      reading = undefined;
    });
    return false;
  }

  /** Never fails. */
  async function read(scope: DatasetScope): Promise<void> {
    const name = nameOf(scope);
    if (pausing.has(name) || !makeRoom((scope.chunkCount ?? 0) * RECORD.bytes)) return;
    const start = performance.now();
    const codes = createCodeList(kernel);
    try {
      const version = await readCodes(pool, scope, codes.add);
      if (version === undefined) codes.free();
      else entries.set(name, { codes, version, borrowed: 0, used: start });
    } catch {
      // Searches do without, and say what is wrong with the database if it is.
      codes.free();
    } finally {
      pausing.set(name, true, { ttl: Math.ceil(PAUSE * (performance.now() - start)) });
    }
  }

  function makeRoom(needed: number): boolean {
    let taken = 0;
    for (const { codes } of entries.values()) taken += codes.count * RECORD.bytes;
    for (const [name, entry] of entries) {
      if (taken + needed <= bytes || performance.now() - entry.used < idle) break;
      taken -= entry.codes.count * RECORD.bytes;
      drop(name, entry);
    }
    return taken + needed <= bytes;
  }

  function drop(name: string, entry: Entry): void {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    free(entry);
  }

  function free({ codes, borrowed }: Entry): void {
    if (borrowed === 0) codes.free();
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
  let failure: unknown;
  query.on('row', (row: { version: string | null; records: Buffer }) => {
    version = row.version ?? undefined;
    // Thrown out of here, what fails would end the process.
    try {
      if (failure === undefined) take(row.records);
    } catch (error) {
      failure = error;
    }
  });
  await withConnection(pool, (client) => once(client.query(query), 'end'));
  if (failure !== undefined) throw failure;
  return version;
}
