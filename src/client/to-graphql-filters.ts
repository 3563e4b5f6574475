import type { Filter, FilterGroup } from './types.ts';

/** Filters as GraphQL has them: ranges are matches, and names are in camel case. */
export function toGraphqlFilters(
  filters: Filter[] | FilterGroup | undefined,
): object[] | undefined {
  if (filters === undefined) return undefined;
  return (Array.isArray(filters) ? filters : [filters]).map(toGraphqlFilter);
}

function toGraphqlFilter(filter: Filter): object {
  if ('key' in filter) {
    return 'range' in filter ? { key: filter.key, match: { range: filter.range } } : filter;
  }
  return {
    must: toGraphqlFilters(filter.must),
    should: toGraphqlFilters(filter.should),
    mustNot: toGraphqlFilters(filter.must_not),
  };
}
