import { hasPermission } from '../../core/authorize.ts';
import type { StoredFile } from '../../core/model.ts';
import type { File } from '../../generated/prisma/client.ts';
import type { DatasetCaller } from '../guard.ts';
import { type Deduplicated, type Replaced, skippedFiles } from './duplicates.ts';
import { toStoredFile } from './stored-file.ts';

/** The result of an upload. */
export interface Uploaded {
  files: StoredFile[];
  /** Files that the dataset had already, each as it is stored; one for every file that was skipped. */
  skipped: StoredFile[];
  /** Files that were removed for new ones with their names; none for a token that may not read files. */
  replaced: StoredFile[];
  /** All files that were removed, for every caller. */
  replacedIds: Pick<StoredFile, 'datasetId' | 'fileId'>[];
  billed: Billing;
}

export interface Billing {
  fileCount: number;
  /** The price of the upload in credits, as an exact decimal. */
  uploadUnits: string;
}

/** @param records of the files that were stored, in the order they were sent */
export function toUploaded(
  records: File[],
  replaced: Replaced,
  upload: Deduplicated,
  { principal, customerId, cost }: DatasetCaller,
): Uploaded {
  const files = records.map((record) => toStoredFile(record, customerId));
  const gone = replaced.records.map((record) => toStoredFile(record, customerId));
  return {
    files,
    skipped: skippedFiles(upload, files),
    // Others uploaded these files.
    replaced: hasPermission(principal, 'READ') ? gone : [],
    replacedIds: gone.map(({ datasetId, fileId }) => ({ datasetId, fileId })),
    billed: { fileCount: files.length, uploadUnits: cost.toFixed() },
  };
}
