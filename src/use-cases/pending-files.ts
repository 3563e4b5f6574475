import { AppError } from '../core/errors.ts';
import type { File, Prisma } from '../generated/prisma/client.ts';
import type { LoaderScope } from '../ports/chunk-index.ts';
import type { Dependencies } from './dependencies.ts';

/** Files whose upload has not shown a sign of life for so long are the sweeper's. */
const ABANDONED_MS = 15 * 60_000;
const SIGN_OF_LIFE_MS = 60_000;

/** The pending files of one upload. */
export interface PendingFiles {
  customerKey: number;
  loaderKeys: bigint[];
  /** Records the intents again that a sweeper ended, which took the upload for an abandoned one. */
  reopen(): Promise<void>;
  /** Ends the signs of life. */
  release(): void;
}

type Deps = Pick<Dependencies, 'prisma' | 'embeddings' | 'log'>;

/** The intents that an upload works under: what they name does not count yet, and is swept if they stay. */
export function createPendingFiles({ prisma, embeddings, log }: Deps) {
  return {
    /** Records the intents of one upload, before anything else of it is written. */
    async open(
      customerKey: number,
      files: { scope: LoaderScope; path: string }[],
    ): Promise<PendingFiles> {
      const loaderKeys = files.map(({ scope }) => scope.loaderKey);
      const record = async () => {
        const data = files.map(({ scope: { loaderKey }, path }) => ({
          customerKey,
          loaderKey,
          path,
          due: abandoned(),
        }));
        await prisma.pendingFile.createMany({ data, skipDuplicates: true });
      };
      await record();
      const timer = setInterval(() => {
        prisma.pendingFile
          .updateMany({
            where: { customerKey, loaderKey: { in: loaderKeys }, attempts: 0 },
            data: { due: abandoned() },
          })
          .catch((err: unknown) => log.warn({ err }, 'an upload could not show a sign of life'));
      }, SIGN_OF_LIFE_MS);
      timer.unref();
      return { customerKey, loaderKeys, reopen: record, release: () => clearInterval(timer) };
    },

    /** Makes the files of a dataset real: records in, intents out, in one transaction. */
    async publish(
      { customerKey, loaderKeys }: PendingFiles,
      datasetKey: number,
      records: Prisma.FileCreateManyInput[],
    ): Promise<File[]> {
      return prisma.$transaction(async (tx) => {
        // The lock keeps a switch to other chunks away: those of these files would not be among them.
        const [dataset] = await tx.$queryRaw<{ key: number; indexed: string }[]>`
          SELECT key, embedding_model AS indexed FROM dataset
          WHERE customer_key = ${customerKey} AND (key = ${datasetKey} OR second_key = ${datasetKey})
          FOR KEY SHARE`;
        if (dataset?.key !== datasetKey) {
          const { indexed = 'another model' } = dataset ?? {};
          throw new AppError('EMBEDDING_MODEL_MISMATCH', { indexed, configured: embeddings.name });
        }
        // A file that the sweeper has tried once may be in pieces: it must not become real.
        const { count } = await tx.pendingFile.deleteMany({
          where: { customerKey, loaderKey: { in: loaderKeys }, attempts: 0 },
        });
        if (count < loaderKeys.length) throw new Error('the sweeper has taken files of an upload');
        return tx.file.createManyAndReturn({ data: records });
      });
    },
  };
}

function abandoned(): Date {
  return new Date(Date.now() + ABANDONED_MS);
}
