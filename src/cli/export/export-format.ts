/** The records of an export, one line of JSON for each file, in its folder. */
export const RECORDS_FILE = 'filequery-export.jsonl';

/** The folder of the copies. */
export const COPIES_FOLDER = 'files';

/** A line of the records. */
export interface ExportedRecord {
  fileId: string;
  originalName: string;
  mimeType: string | null;
  size: number | null;
  extension: string;
  createdAt: string;
  contentHash: string | null;
  extraMeta: Record<string, unknown> | null;
  transcriptionText: string | null;
  transcriptionSrt: object[] | null;
  /** Path of the copy, relative to the folder of the export, with slashes. */
  copy: string;
}
