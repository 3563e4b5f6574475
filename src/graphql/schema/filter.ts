import type { FilterRange, FilterValue } from '../../core/filter.ts';
import { LIMITS } from '../../core/limits.ts';
import { builder } from '../builder.ts';

const FilterRangeInput = builder.inputType('FilterRangeInput', {
  description: 'A range of numbers. At least one bound is given.',
  fields: (t) => ({
    gt: t.float({ description: 'Greater than.' }),
    gte: t.float({ description: 'Greater than or equal to.' }),
    lt: t.float({ description: 'Less than.' }),
    lte: t.float({ description: 'Less than or equal to.' }),
  }),
});

const FilterMatch = builder.inputType('FilterMatch', {
  isOneOf: true,
  description: 'What a metadata field must be. Exactly one kind of match is given.',
  fields: (t) => ({
    value: t.field({
      type: 'FilterValue',
      description: 'The field equals this value, including its type.',
    }),
    any: t.field({
      type: ['FilterValue'],
      description: 'The field is one of these values, or an array with at least one of them.',
    }),
    except: t.field({
      type: ['FilterValue'],
      description:
        'The field has a value that is none of these, or is an array with such an element.',
    }),
    range: t.field({
      type: FilterRangeInput,
      description: 'The field is a number in this range, or an array with at least one.',
    }),
  }),
});

/** One filter: either `key` and `match`, or a group. */
export interface FilterShape {
  key?: string | null | undefined;
  match?: MatchShape | null | undefined;
  must?: FilterShape[] | null | undefined;
  should?: FilterShape[] | null | undefined;
  mustNot?: FilterShape[] | null | undefined;
}

interface MatchShape {
  value?: FilterValue | null | undefined;
  any?: FilterValue[] | null | undefined;
  except?: FilterValue[] | null | undefined;
  range?: { [Bound in keyof FilterRange]: number | null | undefined } | null | undefined;
}

export const FilterInput = builder.inputRef<FilterShape>('FilterInput');

FilterInput.implement({
  description:
    `Either \`key\` and \`match\`, which match a metadata field, or a group of filters. Groups may ` +
    `be up to ${LIMITS.filterDepth} deep.`,
  fields: (t) => ({
    key: t.string({ description: 'The name of a metadata field, such as `fileId`.' }),
    match: t.field({ type: FilterMatch, description: 'What the field must be.' }),
    must: t.field({ type: [FilterInput], description: 'All of these must match.' }),
    should: t.field({ type: [FilterInput], description: 'At least one of these must match.' }),
    mustNot: t.field({ type: [FilterInput], description: 'None of these may match.' }),
  }),
});

/** An input with its filters as use-cases read them: in the form of REST. */
export function withFilters<Input extends { filters?: FilterShape[] | null | undefined }>(
  input: Input,
) {
  return { ...input, filters: toFilters(input.filters) };
}

/** Filters in the form of REST. */
export function toFilters(filters: FilterShape[] | null | undefined): object[] | undefined {
  return filters?.map(({ key, match, must, should, mustNot }) => {
    if (must || should || mustNot) {
      const group = {
        must: toFilters(must),
        should: toFilters(should),
        must_not: toFilters(mustNot),
      };
      return key || match ? { key, ...group } : group;
    }
    return match?.range ? { key, range: match.range } : { key, match };
  });
}
