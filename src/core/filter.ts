/** A value that a filter can match. */
export type FilterValue = string | number | boolean;

/** The bounds of a range; at least one. */
export interface FilterRange {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
}

/** Matches chunks by one field of their metadata. Values are equal only if their types are. */
export type FieldFilter =
  /** The field is exactly this value. */
  | { key: string; match: { value: FilterValue } }
  /** The field is one of these values, or an array with at least one of them. */
  | { key: string; match: { any: FilterValue[] } }
  /** The field has a value that is none of these; of an array, at least one element. */
  | { key: string; match: { except: FilterValue[] } }
  /** The field is a number within the range, or an array with at least one. */
  | { key: string; range: FilterRange };

/**
 * Matches chunks that match every filter in `must`, at least one in `should` (unless it is empty)
 * and none in `must_not`.
 */
export type FilterGroup = {
  must?: Filter[] | undefined;
  should?: Filter[] | undefined;
  must_not?: Filter[] | undefined;
};

export type Filter = FieldFilter | FilterGroup;
