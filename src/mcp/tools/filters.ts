import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { optional } from './optional.ts';

/*
 * Describes filters to models. The use-cases validate them: these schemas drop nothing, and reject only
 * what is not a filter at all.
 */

/** With descriptions, JSON Schema has a branch for each type: some clients cannot read a list of types. */
const value = z.union([
  z.string().describe('Text.'),
  z.number().describe('A number, which is not equal to its text.'),
  z.boolean().describe('True or false.'),
]);

const field = z.looseObject({
  key: optional(z.string()).describe('The name of a metadata field.'),
  match: optional(
    z.looseObject({
      value: optional(value).describe('The field is exactly this value.'),
      any: optional(z.array(value)).describe('The field is one of these values.'),
      except: optional(z.array(value)).describe('The field has a value that is none of these.'),
    }),
  ),
  range: optional(
    z.looseObject({
      gt: optional(z.number()),
      gte: optional(z.number()),
      lt: optional(z.number()),
      lte: optional(z.number()),
    }),
  ).describe('The field is a number in this range.'),
  must: optional(z.array(z.unknown())).describe('Filters that must all match.'),
  should: optional(z.array(z.unknown())).describe('Filters of which at least one must match.'),
  must_not: optional(z.array(z.unknown())).describe('Filters of which none may match.'),
});

/** Filters on the metadata of files. */
export const FILTERS = optional(z.array(field)).describe(
  `Only files whose metadata matches all of these: each has a key and either match or range, or is a group with must, should or must_not, up to ${LIMITS.filterDepth} levels deep.`,
);
