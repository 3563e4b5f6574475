import { AppError } from '../../core/errors.ts';
import { RANGES } from '../../core/limits.ts';
import { askedFor, type ListSize } from '../limits/list-size.ts';

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Relay's arguments as one direction and one size. */
export function readDirection({ first, last }: PageArguments): {
  backwards: boolean;
  limit: number;
} {
  if (typeof first === 'number' && typeof last === 'number') {
    throw new AppError('INVALID_INPUT', { reason: 'first and last cannot be given together' });
  }
  return { backwards: typeof last === 'number', limit: last ?? first ?? RANGES.pageSize.preset };
}

/** The objects of a page at most, by Relay's arguments. */
export const sizeOfPage: ListSize = ({ first, last }) => askedFor(last ?? first, RANGES.pageSize);

/** A Relay connection of one page. `more`: whether the list goes on in the direction of reading. */
export function toConnection<T>(
  page: { items: T[]; more: boolean },
  { after, before }: PageArguments,
  backwards: boolean,
  cursorOf: (item: T) => string,
) {
  const items = backwards ? page.items.toReversed() : page.items;
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
      hasNextPage: backwards ? Boolean(before) : page.more,
      hasPreviousPage: backwards ? page.more : Boolean(after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
