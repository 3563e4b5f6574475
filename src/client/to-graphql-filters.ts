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

/** A filter as untyped programs may send it. */
type AnyFilter = FilterGroup & { match?: object; range?: object | null };

function toGraphqlFilter(filter: Filter): object {
  if (typeof filter !== 'object' || filter === null) return filter;
  const { range, ...plain }: AnyFilter = filter;
  // With a match of its own it is refused, as over REST.
  if (range !== undefined && range !== null) return { ...plain, match: { ...plain.match, range } };
  if ('key' in plain) return plain;
  const { must, should, must_not, ...rest } = plain;
  return {
    ...rest,
    must: toGraphqlFilters(must),
    should: toGraphqlFilters(should),
    mustNot: toGraphqlFilters(must_not),
  };
}
