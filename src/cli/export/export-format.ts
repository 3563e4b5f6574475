import type { ListedFile } from '../../client/index.ts';

/** The records of an export, one line of JSON for each file, in its folder. */
export const RECORDS_FILE = 'filequery-export.jsonl';

/** The folder of the copies. */
export const COPIES_FOLDER = 'files';

/** The fields that a record has. */
export const RECORD_FIELDS = [
  'fileId',
  'originalName',
  'mimeType',
  'size',
  'extension',
  'created',
  'contentHash',
  'extraMeta',
  'transcriptionText',
  'transcriptionSrt',
] as const satisfies (keyof ListedFile)[];

/** A line of the records. */
export interface ExportedRecord extends Pick<ListedFile, (typeof RECORD_FIELDS)[number]> {
  /** Path of the copy, relative to the folder of the export, with slashes. */
  copy: string;
}
