import { z } from 'zod';
import { invalidInput } from '../core/errors.ts';
import type { FieldFilter, Filter, FilterGroup, FilterRange } from '../core/filter.ts';
import { isJsonObject } from '../core/is-json-object.ts';
import { isStorable } from '../core/is-storable.ts';
import { LIMITS } from '../core/limits.ts';
import { isAbsent, readInput } from './input.ts';

/**
 * Filters on chunk metadata, all of which must match: a list, or a group.
 *
 * @throws AppError INVALID_INPUT
 */
export function readFilters(value: unknown): Filter[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value) && !isGroup(value)) {
    return invalidInput('filters must be an array, or an object with must, should or must_not');
  }
  const count = { filters: 0, groups: 0, values: 0 };
  return readList(value, 0);

  function readList(list: unknown, depth: number): Filter[] {
    return (Array.isArray(list) ? list : [list]).map((one) => {
      return isGroup(one) ? readGroup(one, depth + 1) : readField(one);
    });
  }

  function readGroup(group: object, depth: number): FilterGroup {
    if (depth > LIMITS.filterDepth) {
      return invalidInput(`filters must be at most ${LIMITS.filterDepth} groups deep`);
    }
    if (++count.groups > LIMITS.filters) {
      return invalidInput(`groups of filters must be at most ${LIMITS.filters}`);
    }
    const lists = Object.entries(readInput(groupSchema, withoutNulls(group))).filter(
      ([, one]) => !isAbsent(one),
    );
    return Object.fromEntries(lists.map(([name, list]) => [name, readList(list, depth)]));
  }

  function readField(field: unknown): FieldFilter {
    if (++count.filters > LIMITS.filters) {
      return invalidInput(`filters must be at most ${LIMITS.filters}`);
    }
    const given = withoutNulls(field);
    // Before they are validated: a hundred thousand wrong values would have as many messages.
    count.values += valuesIn(given);
    if (count.values > LIMITS.filterValues) {
      return invalidInput(`values of filters must be at most ${LIMITS.filterValues}`);
    }
    return readInput(schemaOf(given), given);
  }
}

/** The number of values in the lists of a filter that is not validated yet. */
function valuesIn(field: unknown): number {
  const match = isJsonObject(field) ? field['match'] : undefined;
  const lists = isJsonObject(match) ? [match['any'], match['except']] : [];
  return lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

const GROUP_MEMBERS = ['must', 'should', 'must_not'] as const;

function isGroup(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const members = GROUP_MEMBERS.filter((member) => member in value);
  return (
    members.some((member) => !isAbsent(value[member])) ||
    (members.length > 0 && isAbsent(value['key']))
  );
}

/**
 * A filter without the members that are null, also in its match: some clients, and models that call tools,
 * send every member that a filter can have.
 */
function withoutNulls(filter: unknown): unknown {
  if (!isJsonObject(filter)) return filter;
  const given = presentMembers(filter);
  return isJsonObject(given['match']) ? { ...given, match: presentMembers(given['match']) } : given;
}

function presentMembers<T>(members: Record<string, T>): Record<string, NonNullable<T>> {
  const present = Object.entries(members).filter(([, one]) => !isAbsent(one));
  return Object.fromEntries(present) as Record<string, NonNullable<T>>;
}

/** The schema of the kind of filter that a value seems to be, so that a message can be precise. */
function schemaOf(field: unknown): z.ZodType<FieldFilter> {
  if (!isJsonObject(field)) return valueFilter;
  const { match, range } = field;
  if (!isAbsent(range)) {
    return isAbsent(match) ? rangeFilter : invalidInput('a filter has either a match or a range');
  }
  if (!isJsonObject(match)) return valueFilter;
  if ('any' in match) return anyFilter;
  return 'except' in match ? exceptFilter : valueFilter;
}

const groupSchema = z.strictObject(
  Object.fromEntries(GROUP_MEMBERS.map((member) => [member, z.unknown().optional()])),
  'a group of filters has nothing but must, should and must_not',
);

const NO_KEY = 'a filter needs a key: a metadata field name';
const key = z
  .string(NO_KEY)
  .min(1, NO_KEY)
  .refine(isStorable, 'key of a filter must be readable text');

const NO_MATCH = 'a filter needs a match, an object with value, any or except, or a range';
const ONE_MATCH = 'match of a filter has either value, any or except';

const valueFilter = filterOf({
  match: z.object({ value: valueNamed('match.value') }, NO_MATCH),
});
const anyFilter = filterOf({
  match: z.strictObject({ any: listOf('match.any') }, ONE_MATCH),
});
const exceptFilter = filterOf({
  match: z.strictObject({ except: listOf('match.except') }, ONE_MATCH),
});

const bound = z.number('the bounds of a range must be numbers').nullish();
const rangeFilter = filterOf({
  range: z
    .strictObject(
      { gt: bound, gte: bound, lt: bound, lte: bound },
      'range of a filter must be an object with gt, gte, lt or lte',
    )
    .transform((range): FilterRange => presentMembers(range))
    .refine(
      (range) => Object.keys(range).length > 0,
      'range of a filter must be an object with gt, gte, lt or lte',
    ),
});

/** Every kind of filter. */
export const FILTERS = { valueFilter, anyFilter, exceptFilter, rangeFilter };

function filterOf<Members extends z.ZodRawShape>(members: Members) {
  return z.object({ key, ...members }, 'a filter must be an object with key and match');
}

/** @param name as in a message, such as `match.value` */
function valueNamed(name: string) {
  return z
    .union(
      [z.string(), z.number(), z.boolean()],
      `${name} of a filter must be a string, a number or a boolean`,
    )
    .refine(
      (value) => typeof value !== 'string' || isStorable(value),
      `${name} of a filter must be readable text`,
    );
}

function listOf(name: string) {
  return z.array(valueNamed(`each value in ${name}`), `${name} of a filter must be an array`);
}
