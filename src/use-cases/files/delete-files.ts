import pMap from 'p-map';
import { AppError } from '../../core/errors.ts';
import { isUuid } from '../../core/uuid.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller, UseCase } from '../guard.ts';
import { type FileSelection, readDeleteIntents, recordDeleteIntents } from './delete-intents.ts';
import type { FileInput } from './get-file.ts';
import { createRemoveFiles } from './remove-files.ts';

type Deps = Pick<Dependencies, 'query' | 'storage' | 'index' | 'log'>;

const BATCHES_AT_ONCE = 4;

/** Removes one file. */
export function deleteFile(deps: Deps) {
  const deleteFiles = createDeleteFiles(deps);
  return {
    read: ({ fileId }: FileInput) => fileId,

    async run(caller, fileId): Promise<void> {
      const { customerKey, datasetId } = caller;
      const deleted = isUuid(fileId)
        ? await deleteFiles(caller, { customerKey, datasetId, fileId })
        : 0;
      if (deleted === 0) throw new AppError('FILE_NOT_FOUND');
    },
  } satisfies UseCase<'deleteFile', FileInput, string, Promise<void>>;
}

/** Removes every file of a dataset; the result is how many. */
export function purgeDataset(deps: Deps) {
  const deleteFiles = createDeleteFiles(deps);
  return {
    read: () => undefined,
    run: (caller): Promise<number> => {
      const { customerKey, datasetId } = caller;
      return deleteFiles(caller, { customerKey, datasetId });
    },
  } satisfies UseCase<'purgeDataset', object, undefined, Promise<number>>;
}

/** Removes every file of every dataset of the customer; the result is how many. */
export function purgeCustomer(deps: Deps) {
  const deleteFiles = createDeleteFiles(deps);
  return {
    read: () => undefined,
    run: (caller): Promise<number> => deleteFiles(caller, { customerKey: caller.customerKey }),
  } satisfies UseCase<'purgeCustomer', object, undefined, Promise<number>>;
}

/**
 * Deletes the files that there are when it begins. Once their intents are written they are as good
 * as gone: what fails after that is logged, and the sweeper's.
 */
function createDeleteFiles(deps: Deps) {
  const removeFiles = createRemoveFiles(deps);

  /** @returns how many files are gone, or will be */
  return async function deleteFiles(
    { requestId, customerId }: Caller,
    which: FileSelection,
  ): Promise<number> {
    const hidden = await recordDeleteIntents(deps, which);
    if (hidden === 0) return 0;
    const details = { requestId, customerId };
    try {
      await pMap(
        readDeleteIntents(deps, which),
        (files) => removeFiles(which.customerKey, files, details),
        { concurrency: BATCHES_AT_ONCE },
      );
    } catch (err) {
      deps.log.error({ ...details, err }, 'a deletion is left to the sweeper');
    }
    return hidden;
  };
}
