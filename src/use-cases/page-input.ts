import { invalidInput } from '../core/errors.ts';
import { RANGES, type Range } from '../core/limits.ts';
import { isAbsent, readCursor, readWholeNumber } from './input.ts';

/** The arguments of a page: `limit` and `after` in REST, those of a connection in GraphQL. */
export interface PageInput {
  limit?: unknown;
  /** The size of a page from the start of the list. */
  first?: unknown;
  /** The size of a page from the end of the list. */
  last?: unknown;
  /** A cursor: only objects after it. */
  after?: unknown;
  /** A cursor: only objects before it. */
  before?: unknown;
}

/** The part of a list that a page is. `P`: a position in the list. */
export interface PageSelection<P> {
  limit: number;
  /** Whether the page is read from the end of the list. */
  backwards: boolean;
  after: P | undefined;
  before: P | undefined;
}

/**
 * @param parse throws AppError INVALID_INPUT for a text that is not a cursor of this list
 * @param size the size of a page of a connection
 */
export function readPageSelection<P>(
  { limit, first, last, after, before }: PageInput,
  parse: (cursor: string) => P,
  size: Range = RANGES.connectionSize,
): PageSelection<P> {
  if (!isAbsent(first) && !isAbsent(last)) invalidInput('first and last cannot be given together');
  const backwards = !isAbsent(last);
  return {
    limit: readSize(),
    backwards,
    after: readCursor(after, parse),
    before: readCursor(before, parse),
  };

  function readSize(): number {
    if (!isAbsent(limit)) return readWholeNumber(limit, 'limit', RANGES.pageSize);
    return backwards ? readWholeNumber(last, 'last', size) : readWholeNumber(first, 'first', size);
  }
}
