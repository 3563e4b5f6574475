import { AppError, invalidInput } from './errors.ts';
import type { FileOrder, FileOrderField } from './file-order.ts';
import { isStorable } from './is-storable.ts';
import type { StoredFile } from './model.ts';
import { isUuid } from './uuid.ts';

/* A cursor is a JSON array of strings in base64url: the values by which the list is ordered. */

/** The position of a file in a list. */
export interface FilePosition {
  /** What the list is ordered by: a timestamp, a name, or a size in bytes; -1 for an unknown size. */
  value: string;
  fileId: string;
}

/** The position of a file in a list with this order. */
export function filePosition(file: StoredFile, { field }: FileOrder): FilePosition {
  const value = field === 'size' ? String(file.size ?? -1) : file[field];
  return { value, fileId: file.fileId };
}

/** The cursor of a file in a list. It contains the order, so that a list with another order refuses it. */
export function fileCursor(file: StoredFile, order: FileOrder): string {
  const { value, fileId } = filePosition(file, order);
  return formatCursor([tagOf(order), value, fileId]);
}

/** @throws AppError INVALID_INPUT for a text that is not a cursor of a list of files in this order */
export function parseFileCursor(cursor: string, order: FileOrder): FilePosition {
  const [tag = '', value = '', fileId = '', ...rest] = parseCursor(cursor);
  const field = fieldOf(tag);
  if (!field || !IS_VALUE[field](value) || !isUuid(fileId) || rest.length > 0) throw wrongCursor();
  if (tag !== tagOf(order)) invalidInput('cursor is of a list in another order');
  return { value, fileId };
}

const IS_VALUE: Record<FileOrderField, (value: string) => boolean> = {
  created: isTimestamp,
  originalName: (value) => value !== '',
  size: (value) => /^(-1|\d{1,15})$/.test(value),
};

function tagOf({ field, direction }: FileOrder): string {
  return `${field} ${direction}`;
}

function fieldOf(tag: string): FileOrderField | undefined {
  return (Object.keys(IS_VALUE) as FileOrderField[]).find((field) =>
    (['asc', 'desc'] as const).some((direction) => tagOf({ field, direction }) === tag),
  );
}

/** The cursor of a dataset; datasets are listed by their ids. */
export function datasetCursor({ datasetId }: { datasetId: string }): string {
  return formatCursor([datasetId]);
}

/**
 * @returns the id of the dataset
 * @throws AppError INVALID_INPUT for a text that is not a cursor of a dataset
 */
export function parseDatasetCursor(cursor: string): string {
  const [datasetId, ...rest] = parseCursor(cursor);
  if (datasetId === undefined || rest.length > 0) throw wrongCursor();
  return datasetId;
}

/** The cursor of a chunk, from its position in the file. */
export function chunkCursor({ position }: { position: number }): string {
  return formatCursor(['chunk', String(position)]);
}

/**
 * @returns the position of the chunk
 * @throws AppError INVALID_INPUT for a text that is not a cursor of a chunk
 */
export function parseChunkCursor(cursor: string): number {
  const [tag, position = '', ...rest] = parseCursor(cursor);
  if (tag !== 'chunk' || !/^\d{1,9}$/.test(position) || rest.length > 0) throw wrongCursor();
  return Number(position);
}

/** The cursor of an event of a dataset, from its version after the event. */
export function changeCursor(version: number): string {
  return formatCursor([String(version)]);
}

/**
 * @returns the version of the dataset
 * @throws AppError INVALID_INPUT for a text that is not a cursor of an event
 */
export function parseChangeCursor(cursor: string): number {
  const [version = '', ...rest] = parseCursor(cursor);
  if (!/^\d{1,9}$/.test(version) || rest.length > 0) throw wrongCursor();
  return Number(version);
}

/** The cursor with which a list continues after a page; none at its end. */
export function nextCursor<T>(
  { items, more }: { items: T[]; more: boolean },
  cursorOf: (item: T) => string,
): string | undefined {
  const last = items.at(-1);
  return more && last !== undefined ? cursorOf(last) : undefined;
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
