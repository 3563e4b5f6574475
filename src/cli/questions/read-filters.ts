import type { Filter, FilterGroup, FilterValue } from '../../client/index.ts';
import { ConfigurationError } from '../../core/errors.ts';

/** The options that filter. */
export interface FilterOptions {
  /** JSON, in the form of REST. */
  filters?: string;
  /** `key=value`, any number of times. */
  filter?: string[];
}

/**
 * The filters of the options, all of which must match.
 *
 * @throws ConfigurationError when one of them is not a filter
 */
export function readFilters({ filters, filter = [] }: FilterOptions): Filter[] | undefined {
  const all = [...(filters === undefined ? [] : readJson(filters)), ...filter.map(readPair)];
  return all.length > 0 ? all : undefined;
}

/** The gateway judges the filters themselves. */
function readJson(text: string): Filter[] {
  let filters: unknown;
  try {
    filters = JSON.parse(text);
  } catch {
    // Answered below.
  }
  if (Array.isArray(filters)) return filters;
  if (typeof filters === 'object' && filters !== null) return [filters as FilterGroup];
  throw new ConfigurationError('--filters: must be a JSON array of filters, or one filter');
}

/** A value on a command line has no type: it matches values of every type that it can have. */
function readPair(text: string): Filter {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new ConfigurationError(`--filter: must be like key=value, not ${text}`);
  }
  const any: FilterValue[] = [value];
  if (value === 'true' || value === 'false') any.push(value === 'true');
  if (value.trim() !== '' && Number.isFinite(Number(value))) any.push(Number(value));
  return { key, match: { any } };
}
