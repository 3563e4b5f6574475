import { hasPermission } from '../../core/authorize.ts';
import type { StoredFile } from '../../core/model.ts';
import type { DatasetCaller } from '../guard.ts';
import { type Deduplicated, type Replaced, skippedFiles } from './duplicates.ts';

/** The result of an upload. */
export interface Uploaded {
  files: StoredFile[];
  /** The stored file for every file that was skipped, because the dataset already had its content. */
  skipped: StoredFile[];
  /** Files that were replaced by new ones with their names; none for a token that may not read files. */
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

/** @param files what was stored, in the order it was sent */
export function toUploaded(
  files: StoredFile[],
  replaced: Replaced,
  upload: Deduplicated,
  { principal, cost }: DatasetCaller,
): Uploaded {
  return {
    files,
    skipped: skippedFiles(upload, files),
    // Others uploaded these files.
    replaced: hasPermission(principal, 'READ') ? replaced.files : [],
    replacedIds: replaced.files.map(({ datasetId, fileId }) => ({ datasetId, fileId })),
    billed: { fileCount: files.length, uploadUnits: cost.toFixed() },
  };
}
