import { AppError } from '../../core/errors.ts';
import { type File, Prisma } from '../../generated/prisma/client.ts';
import type { Charge } from '../accounts/credits.ts';
import type { Dependencies } from '../dependencies.ts';
import { type FileIntent, LEASE } from './remove-files.ts';

const { sql } = Prisma;

/** Files whose upload has not shown a sign of life for so long are the sweeper's. */
const LEASE_END = sql`now() + interval '15 minutes'`;
const HEARTBEAT_MS = 60_000;

/** The pending files of one upload. */
export interface StagedFiles {
  customerKey: number;
  files: FileIntent[];
  /** Ends the signs of life. */
  release(): void;
}

type Deps = Pick<Dependencies, 'prisma' | 'query' | 'storage' | 'embeddings' | 'log'>;

/** The intents that an upload works under: what they name does not count yet, and is swept if they stay. */
export function createStagedFiles({ prisma, query, storage, embeddings, log }: Deps) {
  return {
    /** Records the intents of one upload, before anything else of it is written. */
    async open(customerKey: number, files: FileIntent[]): Promise<StagedFiles> {
      await query(sql`
        INSERT INTO pending_file (customer_key, loader_key, path, due)
        SELECT ${customerKey}, loader_key, path, ${LEASE_END} FROM ${listOf(files)}`);
      const timer = setInterval(() => {
        query(sql`
          UPDATE pending_file SET due = ${LEASE_END} WHERE ${these(customerKey, files)} AND attempts = 0`).catch(
          (err: unknown) => log.warn({ err }, 'an upload could not show a sign of life'),
        );
      }, HEARTBEAT_MS);
      timer.unref();
      return { customerKey, files, release: () => clearInterval(timer) };
    },

    /** Makes the files of a dataset real, and their charge final: records in, intents out, in one transaction. */
    async publish(
      { customerKey, files }: StagedFiles,
      {
        datasetKey,
        records,
        charge,
      }: {
        datasetKey: number;
        records: Prisma.FileCreateManyInput[];
        charge: Charge | undefined;
      },
    ): Promise<File[]> {
      return prisma.$transaction(async (tx) => {
        // The lock keeps a switch to other chunks away: those of these files would not be among them.
        const [dataset] = await tx.$queryRaw<{ key: number; indexed: string }[]>`
          SELECT key, embedding_model AS indexed FROM dataset
          WHERE customer_key = ${customerKey} AND (key = ${datasetKey} OR second_key = ${datasetKey})
          FOR KEY SHARE`;
        const { indexed = 'another model' } = dataset ?? {};
        // Another gateway may have another model, and have taken the dataset when it was empty.
        if (dataset?.key !== datasetKey || indexed !== embeddings.name) {
          throw new AppError('EMBEDDING_MODEL_MISMATCH', { indexed, configured: embeddings.name });
        }
        // A file that the sweeper has tried once may be in pieces: it must not become real.
        const loaderKeys = files.map(({ loaderKey }) => loaderKey);
        const { count } = await tx.pendingFile.deleteMany({
          where: { customerKey, loaderKey: { in: loaderKeys }, attempts: 0 },
        });
        if (count < files.length) throw new Error('the sweeper has taken files of an upload');
        if (charge) {
          const open = await tx.pendingCharge.deleteMany({
            where: { customerKey, id: charge.id },
          });
          if (open.count === 0)
            throw new Error('the sweeper has given the charge of an upload back');
        }
        return tx.file.createManyAndReturn({ data: records });
      });
    },

    /**
     * Takes the files of an upload that failed out of everybody's hands, so that they can be removed.
     *
     * What failed may be the reply to a publication that took place: then the files are there, and stay.
     *
     * @returns the records of the files that were published; otherwise each has an intent, which
     *   stays for as long as the storage may finish a write that was given up
     */
    async withdraw({ customerKey, files }: StagedFiles): Promise<File[] | undefined> {
      const keepUntil = sql`now() + ${storage.lateMs} * interval '1 millisecond'`;
      // Waits for the publication, should the database still be at it; after this none can begin.
      const claimed = await query(sql`
        UPDATE pending_file
        SET attempts = attempts + 1, due = now() + ${LEASE}, keep_until = ${keepUntil}
        WHERE ${these(customerKey, files)} RETURNING 1`);
      if (claimed.length === files.length) return undefined;
      const loaderKeys = files.map(({ loaderKey }) => loaderKey);
      const records = await prisma.file.findMany({
        where: { customerKey, loaderKey: { in: loaderKeys } },
      });
      if (records.length === files.length) {
        return records.toSorted(
          (a, b) => loaderKeys.indexOf(a.loaderKey) - loaderKeys.indexOf(b.loaderKey),
        );
      }
      // A sweeper took the upload for an abandoned one, and ended intents.
      await query(sql`
        INSERT INTO pending_file (customer_key, loader_key, path, due, attempts, keep_until)
        SELECT ${customerKey}, loader_key, path, now() + ${LEASE}, 1, ${keepUntil} FROM ${listOf(files)}
        ON CONFLICT DO NOTHING`);
      return undefined;
    },
  };
}

function listOf(files: FileIntent[]): Prisma.Sql {
  return sql`unnest(${files.map(({ loaderKey }) => loaderKey)}::bigint[],
    ${files.map(({ path }) => path)}::text[]) AS files(loader_key, path)`;
}

function these(customerKey: number, files: FileIntent[]): Prisma.Sql {
  return sql`customer_key = ${customerKey}
    AND loader_key = ANY (${files.map(({ loaderKey }) => loaderKey)}::bigint[])`;
}
