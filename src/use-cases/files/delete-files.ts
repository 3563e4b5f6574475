import pMap from 'p-map';
import { AppError, invalidInput } from '../../core/errors.ts';
import type { StoredFile } from '../../core/model.ts';
import { isUuid } from '../../core/uuid.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller, DatasetCaller, UseCase } from '../guard.ts';
import { type DeletionScope, readDeleteIntents, recordDeleteIntents } from './delete-intents.ts';
import type { FileInput } from './get-file.ts';
import { andMatchesFilters } from './matches-filters.ts';
import { createRemoveFiles } from './remove-files.ts';

type Deps = Pick<Dependencies, 'query' | 'storage' | 'index' | 'log'>;

const BATCHES_AT_ONCE = 4;

/** Identifies a file that was removed. */
export type DeletedFile = Pick<StoredFile, 'datasetId' | 'fileId'>;

/** Removes one file. */
export function deleteFile(deps: Deps) {
  const deleteFiles = createDeleteFiles(deps);
  return {
    read: ({ fileId }: FileInput) => fileId,

    async run(caller, fileId): Promise<DeletedFile> {
      const deleted = isUuid(fileId)
        ? await deleteFiles(caller, { ...ofDataset(caller), fileId })
        : 0;
      if (deleted === 0) throw new AppError('FILE_NOT_FOUND');
      return { datasetId: caller.datasetId, fileId: fileId.toLowerCase() };
    },
  } satisfies UseCase<'deleteFile', FileInput, string, Promise<DeletedFile>>;
}

/** Removes every file in a dataset that exists for the caller. Returns their number. */
export function purgeDataset(deps: Deps) {
  const deleteFiles = createDeleteFiles(deps);
  return {
    read: () => undefined,
    run: (caller): Promise<number> => deleteFiles(caller, ofDataset(caller)),
  } satisfies UseCase<'purgeDataset', object, undefined, Promise<number>>;
}

export interface PurgeCustomerInput {
  /** The customer, as a safeguard; must be the caller's when it is given. */
  customerId?: string | null | undefined;
}

/** Removes every file in every dataset of the customer. Returns their number. */
export function purgeCustomer(deps: Deps) {
  const deleteFiles = createDeleteFiles(deps);
  return {
    read: ({ customerId }: PurgeCustomerInput) => customerId ?? undefined,
    async run(caller, named): Promise<number> {
      const { customerKey, customerId } = caller;
      if (named !== undefined && named !== customerId) {
        invalidInput('customerId is not that of the API key');
      }
      return deleteFiles(caller, { customerKey });
    },
  } satisfies UseCase<'purgeCustomer', PurgeCustomerInput, string | undefined, Promise<number>>;
}

function ofDataset(caller: DatasetCaller): DeletionScope {
  const { customerKey, datasetId, filters } = caller;
  return { customerKey, datasetId, which: andMatchesFilters(caller, filters) };
}

/**
 * Deletes the files that exist when it begins. Once their intents are recorded the deletion is
 * certain: what fails after that is logged, and the sweeper completes it.
 */
function createDeleteFiles(deps: Deps) {
  const removeFiles = createRemoveFiles(deps);

  /** @returns how many files are deleted, now or by the sweeper */
  return async function deleteFiles(
    { requestId, customerId }: Caller,
    scope: DeletionScope,
  ): Promise<number> {
    const hidden = await recordDeleteIntents(deps, scope);
    if (hidden === 0) return 0;
    const details = { requestId, customerId };
    try {
      await pMap(
        readDeleteIntents(deps, scope),
        (files) => removeFiles(scope.customerKey, files, details),
        { concurrency: BATCHES_AT_ONCE },
      );
    } catch (err) {
      deps.log.error({ ...details, err }, 'a deletion is left to the sweeper');
    }
    return hidden;
  };
}
