import { AppError } from './errors.ts';
import type { StoredFile } from './model.ts';

/** A place in a list that is ordered by creation, newest first, and by id among equals. */
export interface Place {
  created: Date;
  id: string;
}

function formatCursor({ created, id }: Place): string {
  return btoa(`${created.getTime()}:${id}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The cursor of a file's place in the list of its dataset. */
export function fileCursor(file: StoredFile): string {
  return formatCursor(placeOf(file));
}

export function placeOf({ created, fileId }: Pick<StoredFile, 'created' | 'fileId'>): Place {
  return { created: new Date(created), id: fileId };
}

const CURSOR = /^(\d{1,15}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LATEST = Date.UTC(9999, 11, 31);

/** @throws AppError INVALID_INPUT when the text is no cursor of ours */
export function parseCursor(cursor: string): Place {
  const [, time, id] = CURSOR.exec(decode(cursor)) ?? [];
  const created = new Date(Number(time));
  // PostgreSQL reads no year of more than four digits as JavaScript writes it.
  if (!id || !(created.getTime() <= LATEST)) {
    throw new AppError('INVALID_INPUT', { reason: 'cursor is not one that a list has given' });
  }
  return { created, id };
}

function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
