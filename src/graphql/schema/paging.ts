import { RANGES, type Range } from '../../core/limits.ts';
import { askedFor, type ListSize } from '../limits/list-size.ts';

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** The objects of a page at most, by Relay's arguments. */
export function sizeOfPage(size: Range): ListSize {
  return ({ first, last }) => askedFor(last ?? first, size);
}

/** What the field of a connection declares for the measure of an operation. */
export const CONNECTION = { listSize: sizeOfPage(RANGES.connectionSize), isCall: true };

/** A page as use-cases return it, in the direction of reading. */
interface Page<T> {
  items: T[];
  more: boolean;
  total: () => Promise<number>;
}

/** A Relay connection of one page. */
export function toConnection<T>(
  { items: read, more, total }: Page<T>,
  { last, after, before }: PageArguments,
  cursorOf: (item: T) => string,
) {
  const backwards = typeof last === 'number';
  const items = backwards ? read.toReversed() : read;
  // Most clients ask for the nodes alone.
  const edges = items.map((node) => ({
    node,
    get cursor() {
      return cursorOf(node);
    },
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage: backwards ? Boolean(before) : more,
      hasPreviousPage: backwards ? more : Boolean(after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    total,
  };
}
