/** What a list of files can be ordered by. */
export type FileOrderField = 'created' | 'originalName' | 'size';

/** The order of a list of files. Ties are ordered by id, in the same direction. */
export interface FileOrder {
  field: FileOrderField;
  direction: 'asc' | 'desc';
}

export const NEWEST_FIRST: FileOrder = { field: 'created', direction: 'desc' };
