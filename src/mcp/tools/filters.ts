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
  key: z.string().optional().describe('The name of a metadata field.'),
  match: z
    .looseObject({
      value: value.optional().describe('The field is exactly this value.'),
      any: z.array(value).optional().describe('The field is one of these values.'),
      except: z.array(value).optional().describe('The field has a value that is none of these.'),
    })
    .optional(),
  range: z
    .looseObject({
      gt: z.number().optional(),
      gte: z.number().optional(),
      lt: z.number().optional(),
      lte: z.number().optional(),
    })
    .optional()
    .describe('The field is a number in this range.'),
  must: z.array(z.unknown()).optional().describe('Filters that must all match.'),
  should: z.array(z.unknown()).optional().describe('Filters of which at least one must match.'),
  must_not: z.array(z.unknown()).optional().describe('Filters of which none may match.'),
});

/** Filters on the metadata of files. */
export const FILTERS = optional(z.array(field)).describe(
  `Only files whose metadata matches all of these: each has a key and either match or range, or is a group with must, should or must_not, up to ${LIMITS.filterDepth} levels deep.`,
);
