import type { File, Prisma } from '../generated/prisma/client.ts';
import type { LoaderScope } from '../ports/vector-index.ts';
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

/** The intents that an upload works under: what they name does not count yet, and is swept if they stay. */
export function createPendingFiles({ prisma, log }: Pick<Dependencies, 'prisma' | 'log'>) {
  return {
    /** Records the intents of one upload, before anything else of it is written. */
    async open(
      customerKey: number,
      files: { scope: LoaderScope; path: string }[],
    ): Promise<PendingFiles> {
      const loaderKeys = files.map(({ scope }) => scope.loaderKey);
      const record = async () => {
        const data = files.map(({ scope, path }) => ({ ...scope, path, due: abandoned() }));
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

    /** Makes the files real: records in, intents out, in one transaction. */
    async publish(
      { customerKey, loaderKeys }: PendingFiles,
      records: Prisma.FileCreateManyInput[],
    ): Promise<File[]> {
      return prisma.$transaction(async (tx) => {
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
