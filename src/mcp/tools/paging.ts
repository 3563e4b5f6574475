import { z } from 'zod';
import { RANGES, type Range } from '../../core/limits.ts';
import { optional } from './optional.ts';

/** The arguments of a list that is read page by page. @param what such as `files` */
export function pageInput(what: string) {
  return {
    limit: limitOf(what, RANGES.pageSize),
    cursor: optional(z.string()).describe('nextCursor of the page before.'),
  };
}

export const NEXT_CURSOR = z
  .string()
  .optional()
  .describe('The cursor of the next page, if there is one.');

/** How many to return. The use-cases check the range. */
export function limitOf(what: string, { min, max, preset }: Range) {
  return optional(z.number()).describe(
    `The maximum number of ${what}, ${min} to ${max}; ${preset} by default.`,
  );
}
