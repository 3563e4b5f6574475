import { ORIGIN_FIELDS } from '../../core/chunk-metadata.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Filter } from '../../core/filter.ts';
import { LIMITS } from '../../core/limits.ts';
import { readFilters } from '../filters.ts';

/**
 * The filters of a frontend token; `undefined` when there are none.
 *
 * @throws AppError INVALID_INPUT, also for a filter on the location of a chunk in its file
 */
export function readTokenFilters(value: unknown): Filter[] | undefined {
  const filters = readFilters(value);
  const origin = filters.flatMap(keysOf).find((key) => Object.hasOwn(ORIGIN_FIELDS, key));
  if (origin !== undefined) {
    invalidInput(
      `filters of a token are about whole files: ${origin} is not the same in all of one`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(filters)) > LIMITS.tokenFilterBytes) {
    invalidInput(`filters of a token must be at most ${LIMITS.tokenFilterBytes / 1024} kB`);
  }
  return filters.length > 0 ? filters : undefined;
}

function keysOf(filter: Filter): string[] {
  if ('key' in filter) return [filter.key];
  const { must = [], should = [], must_not: mustNot = [] } = filter;
  return [...must, ...should, ...mustNot].flatMap(keysOf);
}
