import { ConfigurationError } from '../../core/errors.ts';

/** The filters of an option, in the form of GraphQL. */
export function readFilters(text: string | undefined): unknown[] | undefined {
  if (text === undefined) return undefined;
  try {
    const filters: unknown = JSON.parse(text);
    if (Array.isArray(filters)) return filters;
  } catch {
    // Answered below.
  }
  throw new ConfigurationError('--filters: must be a JSON array');
}
