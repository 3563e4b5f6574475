import type { Filter, FilterGroup } from './types.ts';

/**
 * Filters as GraphQL has them: ranges are matches, and names are in camel case. What is no filter stays
 * what it is, for the gateway to refuse.
 */
export function toGraphqlFilters(
  filters: Filter[] | FilterGroup | undefined,
): object[] | undefined {
  if (filters === undefined) return undefined;
  return (Array.isArray(filters) ? filters : [filters]).map(toGraphqlFilter);
}

function toGraphqlFilter(filter: Filter): object {
  if (typeof filter !== 'object' || filter === null) return filter;
  if ('range' in filter) {
    const { range, ...rest } = filter;
    return { ...rest, match: { range } };
  }
  if ('key' in filter) return filter;
  const { must, should, must_not, ...rest } = filter;
  return {
    ...rest,
    must: toGraphqlFilters(must),
    should: toGraphqlFilters(should),
    mustNot: toGraphqlFilters(must_not),
  };
}
