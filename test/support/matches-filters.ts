import type { FieldFilter, Filter } from '../../src/core/filter.ts';
import type { Json, JsonObject } from '../../src/core/model.ts';

/** Whether metadata matches all filters, as the documentation describes them. */
export function matchesFilters(metadata: JsonObject, filters: Filter[]): boolean {
  return filters.every((filter) => matches(metadata, filter));
}

function matches(metadata: JsonObject, filter: Filter): boolean {
  if ('key' in filter) {
    if (!Object.hasOwn(metadata, filter.key)) return false;
    return matchesField(metadata[filter.key] as Json, filter);
  }
  const { must = [], should = [], must_not: mustNot = [] } = filter;
  return (
    matchesFilters(metadata, must) &&
    (should.length === 0 || should.some((one) => matches(metadata, one))) &&
    !mustNot.some((one) => matches(metadata, one))
  );
}

function matchesField(field: Json, filter: FieldFilter): boolean {
  const elements = Array.isArray(field) ? field : [field];
  if ('range' in filter) {
    const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = filter.range;
    return elements.some(
      (one) => typeof one === 'number' && one > gt && one >= gte && one < lt && one <= lte,
    );
  }
  const { match } = filter;
  if ('value' in match) return field === match.value;
  if ('any' in match) return elements.some((one) => match.any.some((value) => value === one));
  return elements.some((one) => one !== null && match.except.every((value) => value !== one));
}
