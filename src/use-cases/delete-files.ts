import { AppError } from '../core/errors.ts';
import type { Dependencies } from './dependencies.ts';
import { type FileInput, isFileId } from './get-file.ts';
import type { UseCase } from './guard.ts';
import { readDatasetId } from './read-input.ts';
import { createRemoveFiles, existingFiles, removable } from './remove-files.ts';

type Deps = Pick<Dependencies, 'prisma' | 'storage' | 'index' | 'log'>;

/** Removes one file. */
export function deleteFile(deps: Deps) {
  const removeFiles = createRemoveFiles(deps);
  return {
    read: ({ fileId }: FileInput) => fileId,

    async run(caller, fileId): Promise<void> {
      const { customerKey, datasetId } = caller;
      const file = isFileId(fileId)
        ? await deps.prisma.file.findUnique({
            where: { customerKey_id: { customerKey, id: fileId }, datasetId },
            select: removable,
          })
        : null;
      if (!file) throw new AppError('FILE_NOT_FOUND');
      await removeFiles(caller, [[file]]);
    },
  } satisfies UseCase<'deleteFile', FileInput, string, Promise<void>>;
}

/** Removes every file of a dataset; the result is how many. */
export function purgeDataset(deps: Deps) {
  const removeFiles = createRemoveFiles(deps);
  return {
    // A token has a dataset of its own; a request that names none still must not empty it.
    read({ datasetId }: { datasetId?: unknown }) {
      if (readDatasetId(datasetId) === undefined) throw new AppError('DATASET_REQUIRED');
    },

    run: (caller): Promise<number> => removeFiles(caller, existingFiles(deps.prisma, caller)),
  } satisfies UseCase<'purgeDataset', { datasetId?: unknown }, void, Promise<number>>;
}

/** Removes every file of every dataset of the customer; the result is how many. */
export function purgeCustomer(deps: Deps) {
  const removeFiles = createRemoveFiles(deps);
  return {
    read: () => undefined,

    async run(caller): Promise<number> {
      const { customerKey } = caller;
      const datasets = await deps.prisma.dataset.findMany({
        where: { customerKey },
        select: { id: true },
      });
      let deleted = 0;
      for (const { id: datasetId } of datasets) {
        const files = existingFiles(deps.prisma, { customerKey, datasetId });
        deleted += await removeFiles(caller, files);
      }
      return deleted;
    },
  } satisfies UseCase<'purgeCustomer', object, undefined, Promise<number>>;
}
