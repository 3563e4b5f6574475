/** A page of a list, and whether the list continues after it. */
export interface Page<T> {
  items: T[];
  more: boolean;
}

/**
 * Reads one page of a list.
 *
 * @param read reads at most `limit` rows: one more than the page has, to know whether it is the last
 */
export async function readPage<T>(
  size: number,
  read: (limit: number) => Promise<T[]>,
): Promise<Page<T>> {
  return toPage(size, await read(size + 1));
}

/** @param rows one more than the page has, if the list continues */
export function toPage<T>(size: number, rows: T[]): Page<T> {
  return { items: rows.slice(0, size), more: rows.length > size };
}

/**
 * Reads a whole list in pages. Rows that are added or removed meanwhile do not shift the others.
 *
 * @param read reads at most `size` rows after the given one, ordered by a unique key
 */
export async function* readPages<T>(
  size: number,
  read: (last: T | undefined) => Promise<T[]>,
): AsyncGenerator<T[], void, undefined> {
  let last: T | undefined;
  do {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length === size ? rows.at(-1) : undefined;
  } while (last !== undefined);
}
