import pMap from 'p-map';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Dependencies } from './dependencies.ts';
import type { Caller } from './guard.ts';

type Deps = Pick<Dependencies, 'prisma' | 'storage' | 'index' | 'log'>;

/** What removing a file needs to know of it. */
export const removable = { id: true, loaderKey: true, path: true } satisfies Prisma.FileSelect;
export type RemovableFile = Prisma.FileGetPayload<{ select: typeof removable }>;

/** Few statements and storage calls for many files. */
const FILES_AT_ONCE = 1000;
const BATCHES_AT_ONCE = 4;

/** Removes files, in batches, several batches at once. */
export function createRemoveFiles({ prisma, storage, index, log }: Deps) {
  /** @returns how many files are gone */
  return async function removeFiles(
    caller: Caller,
    batches: AsyncIterable<RemovableFile[]> | [RemovableFile[]],
  ): Promise<number> {
    const gone = await pMap(batches, (files) => remove(caller, files), {
      concurrency: BATCHES_AT_ONCE,
    });
    return gone.reduce((sum, files) => sum + files, 0);
  };

  /**
   * Embeddings, then stored copies, then records. A step that fails is logged and the next goes on;
   * what it left behind becomes a pending file, which no search sees and which the sweeper retries.
   */
  async function remove(caller: Caller, files: RemovableFile[]): Promise<number> {
    const { customerKey } = caller;
    const all = new Set(files);
    const withChunks = await attempt(caller, 'embeddings', all, async () => {
      await index.remove(
        customerKey,
        files.map(({ loaderKey }) => loaderKey),
      );
      return new Set();
    });
    const withCopy = await attempt(caller, 'stored copies', all, async () => {
      const left = new Set(await storage.remove(files.map(({ path }) => path)));
      if (left.size > 0) logFailure(caller, 'stored copies', { paths: [...left] });
      return new Set(files.filter(({ path }) => left.has(path)));
    });
    let gone = 0;
    await attempt(caller, 'records', all, async () => {
      const [, { count }] = await prisma.$transaction([
        prisma.pendingFile.createMany({
          data: files
            .filter((file) => withChunks.has(file) || withCopy.has(file))
            .map(({ loaderKey, path }) => ({
              customerKey,
              loaderKey,
              path,
              due: new Date(),
            })),
          skipDuplicates: true,
        }),
        prisma.file.deleteMany({ where: { customerKey, id: { in: files.map(({ id }) => id) } } }),
      ]);
      // What somebody else removed at the same time is theirs to count.
      gone = count;
      return new Set();
    });
    return gone;
  }

  /** @returns the files that a step left something of: all of them when it threw */
  async function attempt(
    caller: Caller,
    what: string,
    all: Set<RemovableFile>,
    step: () => Promise<Set<RemovableFile>>,
  ): Promise<Set<RemovableFile>> {
    try {
      return await step();
    } catch (error) {
      logFailure(caller, what, { err: error });
      return all;
    }
  }

  function logFailure({ requestId, customerId }: Caller, what: string, facts: object): void {
    log.error({ requestId, customerId, ...facts }, `removing ${what} failed`);
  }
}

/**
 * The files of a dataset that there are now, newest first, in batches: what is uploaded meanwhile
 * is newer than the first batch and stays.
 */
export async function* existingFiles(
  prisma: Dependencies['prisma'],
  { customerKey, datasetId }: { customerKey: number; datasetId: string },
): AsyncGenerator<RemovableFile[]> {
  let last: { created: Date; id: string } | undefined;
  do {
    const files = await prisma.file.findMany({
      where: {
        customerKey,
        datasetId,
        ...(last && {
          created: { lte: last.created },
          OR: [{ created: { lt: last.created } }, { id: { lt: last.id } }],
        }),
      },
      orderBy: [{ created: 'desc' }, { id: 'desc' }],
      select: { ...removable, created: true },
      take: FILES_AT_ONCE,
    });
    if (files.length > 0) yield files;
    last = files.length === FILES_AT_ONCE ? files.at(-1) : undefined;
  } while (last);
}
