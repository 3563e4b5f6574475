import type { FieldFilter, Filter, FilterRange, FilterValue } from '../core/filter.ts';
import { Prisma } from '../generated/prisma/client.ts';

const { empty, join, raw, sql } = Prisma;
type Sql = ReturnType<typeof sql>;

/**
 * The SQL condition for rows whose column `metadata`, a jsonb object, matches all of the filters.
 * It is never NULL.
 */
export function matchesAll(filters: Filter[]): Sql {
  return filters.length > 0 ? sql`(${join(filters.map(matches), ' AND ')})` : sql`true`;
}

function matches(filter: Filter): Sql {
  if ('key' in filter) return matchesField(filter);
  const { must = [], should = [], must_not: mustNot = [] } = filter;
  const oneOf = should.length > 0 ? sql`AND (${join(should.map(matches), ' OR ')})` : empty;
  const noneOf = mustNot.length > 0 ? sql`AND NOT (${join(mustNot.map(matches), ' OR ')})` : empty;
  return sql`(${matchesAll(must)} ${oneOf} ${noneOf})`;
}

function matchesField(filter: FieldFilter): Sql {
  const { key } = filter;
  if ('range' in filter) {
    // CASE decides the order: AND may compare before it checks the type.
    return hasValue(
      key,
      (value) =>
        sql`CASE WHEN jsonb_typeof(${value}) = 'number' THEN ${within(value, filter.range)} ELSE false END`,
    );
  }
  const { match } = filter;
  if ('value' in match) return sql`metadata @> ${JSON.stringify({ [key]: match.value })}::jsonb`;
  if ('any' in match) return hasValue(key, (value) => sql`${value} = ANY (${toJsonb(match.any)})`);
  return hasValue(
    key,
    (value) => sql`${value} <> ALL (${toJsonb(match.except)}) AND ${value} <> 'null'`,
  );
}

/**
 * Whether the field, or an element of it when it is an array, meets a condition. Most fields are no
 * arrays: to read one as an array of one element takes ten times as long.
 */
function hasValue(key: string, meets: (value: Sql) => Sql): Sql {
  const field = sql`(metadata -> ${key}::text)`;
  return sql`CASE WHEN jsonb_typeof(${field}) = 'array'
    THEN EXISTS (SELECT FROM jsonb_array_elements(${field}) AS element WHERE ${meets(sql`element`)})
    ELSE coalesce(${meets(field)}, false) END`;
}

function within(value: Sql, range: FilterRange): Sql {
  const bounds = Object.entries(OPERATORS).flatMap(([name, operator]) => {
    const bound = range[name as keyof FilterRange];
    return bound === undefined ? [] : [sql`${value}::numeric ${raw(operator)} ${bound}::numeric`];
  });
  return sql`(${join(bounds, ' AND ')})`;
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } satisfies Record<
  keyof FilterRange,
  string
>;

/** From so many values on, PostgreSQL hashes an array that it knows when it plans. */
const HASHED_VALUES = 9;

/** An array of the values. One of a few values is filled up with the first, so that it is hashed. */
function toJsonb(values: FilterValue[]): Sql {
  const listed = values.map((value) => JSON.stringify(value));
  const missing = listed.length > 1 ? HASHED_VALUES - listed.length : 0;
  const repeated = Array.from({ length: Math.max(0, missing) }, () => listed[0]);
  return sql`${[...listed, ...repeated]}::jsonb[]`;
}
