import { AppError } from '../../core/errors.ts';
import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { type Charge, captureIn } from '../accounts/charge-statements.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller } from '../guard.ts';
import { STORED_FILE, type StoredFileRow, toStoredFiles } from './file-records.ts';
import { insertFiles, type NewFile } from './insert-files.ts';
import { type FileIntent, REMOVAL_LEASE } from './remove-files.ts';

const { sql } = Prisma;

/** The lease of an upload: without a heartbeat until then, the sweeper removes its files. */
const UPLOAD_LEASE_END = sql`now() + interval '15 minutes'`;
const HEARTBEAT_MS = 60_000;

/** The staged files of one upload. */
export interface StagedFiles extends Owner {
  files: FileIntent[];
  /** Ends the heartbeat. */
  release(): void;
}

type Owner = Pick<Caller, 'customerKey' | 'customerId'>;

type Deps = Pick<Dependencies, 'prisma' | 'query' | 'storage' | 'embeddings' | 'log'>;

/** Stages the files of an upload: each has an intent until it is published, and is removed otherwise. */
export function createStagedFiles({ prisma, query, storage, embeddings, log }: Deps) {
  return {
    /** Records the intents of an upload, before anything else is written for it. */
    async open({ customerKey, customerId }: Owner, files: FileIntent[]): Promise<StagedFiles> {
      await query(sql`
        INSERT INTO pending_file (customer_key, loader_key, path, due)
        SELECT ${customerKey}, loader_key, path, ${UPLOAD_LEASE_END} FROM ${listOf(files)}`);
      const timer = setInterval(() => {
        query(sql`
          UPDATE pending_file SET due = greatest(due, ${UPLOAD_LEASE_END}) WHERE ${matchesFiles(customerKey, files)} AND attempts = 0`).catch(
          (err: unknown) => log.warn({ err }, 'the heartbeat of an upload failed'),
        );
      }, HEARTBEAT_MS);
      timer.unref();
      return { customerKey, customerId, files, release: () => clearInterval(timer) };
    },

    /** Publishes the files and captures their charge, in one transaction that replaces intents by records. */
    async publish(
      { customerKey, customerId, files }: Omit<StagedFiles, 'release'>,
      {
        datasetKey,
        records,
        charge,
        lockDataset,
        before,
        after,
      }: {
        datasetKey: number;
        records: NewFile[];
        charge: Charge | undefined;
        /** Whether to wait for other publications that lock the dataset. */
        lockDataset: boolean;
        /** More work in the transaction: before the records are inserted, and after that. */
        before: (tx: Prisma.TransactionClient) => Promise<void>;
        after: (tx: Prisma.TransactionClient, published: StoredFile[]) => Promise<void>;
      },
    ): Promise<StoredFile[]> {
      return prisma.$transaction(async (tx) => {
        // The lock blocks a cut-over, whose shadow index would lack the chunks of these files.
        const [dataset] = await tx.$queryRaw<{ key: number; indexed: string }[]>`
          SELECT key, embedding_model AS indexed FROM dataset
          WHERE customer_key = ${customerKey} AND (key = ${datasetKey} OR second_key = ${datasetKey})
          ${lockDataset ? sql`FOR NO KEY UPDATE` : sql`FOR KEY SHARE`}`;
        const { indexed = 'another model' } = dataset ?? {};
        // Another gateway with another model may have used the dataset first, while it was empty.
        if (dataset?.key !== datasetKey || indexed !== embeddings.name) {
          throw new AppError('EMBEDDING_MODEL_MISMATCH', { indexed, configured: embeddings.name });
        }
        // A file that the sweeper has begun to remove must not be published.
        const loaderKeys = files.map(({ loaderKey }) => loaderKey);
        const { count } = await tx.pendingFile.deleteMany({
          where: { customerKey, loaderKey: { in: loaderKeys }, attempts: 0 },
        });
        if (count < files.length) throw new Error('the sweeper has removed files of the upload');
        await captureIn(tx, charge);
        await before(tx);
        const published = await insertFiles(tx, { customerKey, customerId }, records);
        await after(tx, published);
        return published;
      });
    },

    /**
     * Claims the files of a failed upload, so that they can be removed. If only the reply to `publish`
     * was lost, the files are published and stay.
     *
     * @returns the files if they were published; otherwise each file has an intent,
     *   which stays while the storage may still complete an aborted write
     */
    async withdraw({
      customerKey,
      customerId,
      files,
    }: Omit<StagedFiles, 'release'>): Promise<StoredFile[] | undefined> {
      const keepUntil = sql`now() + ${storage.lateMs} * interval '1 millisecond'`;
      // Waits for a publication in progress; no other can begin after this.
      const claimed = await query(sql`
        UPDATE pending_file
        SET attempts = attempts + 1, due = now() + ${REMOVAL_LEASE}, keep_until = ${keepUntil}
        WHERE ${matchesFiles(customerKey, files)} RETURNING 1`);
      if (claimed.length === files.length) return undefined;
      const loaderKeys = files.map(({ loaderKey }) => loaderKey);
      const published = await query<StoredFileRow>(sql`
        SELECT ${STORED_FILE} FROM file WHERE ${matchesFiles(customerKey, files)}
        ORDER BY array_position(${loaderKeys}::bigint[], loader_key)`);
      if (published.length === files.length) return toStoredFiles({ customerId }, published);
      // The sweeper found the lease expired, and removed intents.
      await query(sql`
        INSERT INTO pending_file (customer_key, loader_key, path, due, attempts, keep_until)
        SELECT ${customerKey}, loader_key, path, now() + ${REMOVAL_LEASE}, 1, ${keepUntil} FROM ${listOf(files)}
        ON CONFLICT DO NOTHING`);
      return undefined;
    },
  };
}

function listOf(files: FileIntent[]): Prisma.Sql {
  return sql`unnest(${files.map(({ loaderKey }) => loaderKey)}::bigint[],
    ${files.map(({ path }) => path)}::text[]) AS files(loader_key, path)`;
}

export function matchesFiles(customerKey: number, files: FileIntent[]): Prisma.Sql {
  return sql`customer_key = ${customerKey}
    AND loader_key = ANY (${files.map(({ loaderKey }) => loaderKey)}::bigint[])`;
}
