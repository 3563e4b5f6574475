import fc from 'fast-check';
import type { Filter, FilterValue } from '../../src/core/filter.ts';

/** Up to three filters of all kinds, also in groups. */
export function someFilters(keys: string[], values: FilterValue[]): fc.Arbitrary<Filter[]> {
  const key = fc.constantFrom(...keys);
  const value = fc.constantFrom(...values);
  const list = fc.array(value, { maxLength: 4 });
  const bound = fc.constantFrom(-2, -1.5, 0, 0.5, 1, 1e21);
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => {
    const group = fc.array(tie('filter'), { maxLength: 3 });
    return {
      filter: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({ key, match: fc.record({ value }) }),
        fc.record({ key, match: fc.record({ any: list }) }),
        fc.record({ key, match: fc.record({ except: list }) }),
        fc.oneof(
          fc.record({ key, range: fc.record({ gte: bound }) }),
          fc.record({ key, range: fc.record({ gt: bound, lt: bound }) }),
          fc.record({ key, range: fc.record({ lte: bound }) }),
        ),
        fc.record({ must: group, should: group, must_not: group }, { requiredKeys: [] }),
      ),
    };
  });
  return fc.array(filter, { maxLength: 3 });
}
