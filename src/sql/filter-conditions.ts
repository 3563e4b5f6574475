import type { FieldFilter, Filter, FilterRange } from '../core/filter.ts';
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
    return hasElement(
      key,
      sql`CASE WHEN jsonb_typeof(element) = 'number' THEN ${within(filter.range)} ELSE false END`,
    );
  }
  const { match } = filter;
  if ('value' in match) return sql`metadata @> ${JSON.stringify({ [key]: match.value })}::jsonb`;
  if ('any' in match) return hasElement(key, sql`element = ANY (${toJsonb(match.any)})`);
  return hasElement(key, sql`element <> ALL (${toJsonb(match.except)}) AND element <> 'null'`);
}

/** Whether the field, or an element of it when it is an array, meets a condition on `element`. */
function hasElement(key: string, condition: Sql): Sql {
  return sql`EXISTS (
    SELECT FROM (SELECT metadata -> ${key}::text AS field) AS one, jsonb_array_elements(
      CASE WHEN jsonb_typeof(field) = 'array' THEN field ELSE jsonb_build_array(field) END
    ) AS element
    WHERE field IS NOT NULL AND ${condition})`;
}

function within(range: FilterRange): Sql {
  const bounds = Object.entries(OPERATORS).flatMap(([name, operator]) => {
    const bound = range[name as keyof FilterRange];
    return bound === undefined ? [] : [sql`element::numeric ${raw(operator)} ${bound}::numeric`];
  });
  return sql`(${join(bounds, ' AND ')})`;
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } satisfies Record<
  keyof FilterRange,
  string
>;

function toJsonb(values: unknown[]): Sql {
  return sql`ARRAY(SELECT jsonb_array_elements(${JSON.stringify(values)}::jsonb))`;
}
