import type { Filter, FilterValue } from '../../client/types.ts';

/** A field that files have, and its values. */
export interface Facet {
  key: string;
  /** The most frequent first. */
  values: { value: FilterValue; count: number; label: string }[];
  /** Whether a range suits it better than a list of values. */
  isRange: boolean;
}

interface Described {
  originalName: string;
  mimeType: string | null;
  extraMeta: unknown;
}

/** A field with more distinct numbers than this is filtered by a range. */
const MOST_NUMBERS = 6;

/** The fields in the metadata of files. Elements of arrays count as values. */
export function facetsOf(files: Described[]): Facet[] {
  const facets = new Map<string, Map<FilterValue, number>>();
  const endings = new Map<FilterValue, string>();
  for (const { originalName, mimeType, extraMeta } of files) {
    if (mimeType) {
      add('mimeType', mimeType);
      endings.set(mimeType, /\.\w+$/.exec(originalName)?.[0].toLowerCase() ?? mimeType);
    }
    if (typeof extraMeta !== 'object' || extraMeta === null) continue;
    for (const [key, found] of Object.entries(extraMeta)) {
      for (const value of Array.isArray(found) ? new Set(found) : [found]) {
        if (isFilterValue(value)) add(key, value);
      }
    }
  }
  return [...facets].map(([key, counts]) => {
    const values = [...counts].map(([value, count]) => ({
      value,
      count,
      // Names of types are long.
      label: (key === 'mimeType' && endings.get(value)) || String(value),
    }));
    const isRange =
      values.length > MOST_NUMBERS && values.every(({ value }) => typeof value === 'number');
    return { key, isRange, values: values.sort((one, other) => other.count - one.count) };
  });

  function add(key: string, value: FilterValue): void {
    const counts = facets.get(key) ?? new Map<FilterValue, number>();
    facets.set(key, counts.set(value, (counts.get(value) ?? 0) + 1));
  }
}

function isFilterValue(value: unknown): value is FilterValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The selected values of a field. */
export type Choice =
  | { values: FilterValue[] }
  | { gte?: number | undefined; lte?: number | undefined };

/** Selections by field; `fileId` is selected at a file. */
export type Choices = Record<string, Choice>;

export function filtersOf(choices: Choices): Filter[] {
  return Object.entries(choices).flatMap<Filter>(([key, choice]) => {
    if ('values' in choice) {
      const [value] = choice.values;
      if (value === undefined) return [];
      return choice.values.length === 1
        ? [{ key, match: { value } }]
        : [{ key, match: { any: choice.values } }];
    }
    const { gte, lte } = choice;
    return gte === undefined && lte === undefined ? [] : [{ key, range: { gte, lte } }];
  });
}
