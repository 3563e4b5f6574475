import { AppError } from './errors.ts';
import { isStorable } from './is-storable.ts';
import type { StoredFile } from './model.ts';
import { isUuid } from './uuid.ts';

/* A cursor is base64url of a JSON array: the values that the list is ordered by. */

/** The position of a file in a list that is ordered by creation and id. */
export type FilePosition = Pick<StoredFile, 'created' | 'fileId'>;

export function fileCursor({ created, fileId }: FilePosition): string {
  return formatCursor([created, fileId]);
}

/** @throws AppError INVALID_INPUT for a text that is no cursor of a file */
export function parseFileCursor(cursor: string): FilePosition {
  const [created = '', fileId = '', ...rest] = parseCursor(cursor);
  if (!isTimestamp(created) || !isUuid(fileId) || rest.length > 0) throw wrongCursor();
  return { created, fileId };
}

export function datasetCursor({ datasetId }: { datasetId: string }): string {
  return formatCursor([datasetId]);
}

/**
 * @returns the id of the dataset
 * @throws AppError INVALID_INPUT for a text that is no cursor of a dataset
 */
export function parseDatasetCursor(cursor: string): string {
  const [datasetId, ...rest] = parseCursor(cursor);
  if (datasetId === undefined || rest.length > 0) throw wrongCursor();
  return datasetId;
}

function formatCursor(position: string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function parseCursor(cursor: string): string[] {
  const position = parseJson(Buffer.from(cursor, 'base64url').toString());
  const isPosition =
    Array.isArray(position) &&
    position.every((value) => typeof value === 'string' && isStorable(value));
  if (!isPosition) throw wrongCursor();
  return position;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is a timestamp as in `StoredFile`, of a date that exists, in a year that PostgreSQL reads. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return /^[1-9]\d{3}-/.test(text) && !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function wrongCursor(): AppError {
  return new AppError('INVALID_INPUT', { reason: 'cursor is not one that a list has given' });
}
