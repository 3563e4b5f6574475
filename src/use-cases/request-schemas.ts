import { z } from 'zod';
import type { JsonObject } from '../core/model.ts';
import { FILTERS } from './filters.ts';
import { INPUTS } from './input.ts';

/** JSON Schemas (2020-12) of the inputs of requests, from their validators. */
export function requestSchemas(): Record<keyof typeof INPUTS | keyof typeof FILTERS, JsonObject> {
  const { datasetId, question, cursor, permissions, idempotencyKey } = INPUTS;
  const { valueFilter, anyFilter, exceptFilter, rangeFilter } = FILTERS;
  return {
    // A validator treats an empty text as missing, and reports that with a separate code.
    datasetId: { ...toJsonSchema(datasetId), minLength: 1 },
    question: { ...toJsonSchema(question), minLength: 1 },
    cursor: toJsonSchema(cursor),
    permissions: toJsonSchema(permissions),
    idempotencyKey: { ...toJsonSchema(idempotencyKey), minLength: 1 },
    valueFilter: toJsonSchema(valueFilter),
    anyFilter: toJsonSchema(anyFilter),
    exceptFilter: toJsonSchema(exceptFilter),
    rangeFilter: toJsonSchema(rangeFilter),
  };
}

/** Without `$schema`: the document that contains it names the dialect. */
function toJsonSchema(validator: z.ZodType): JsonObject {
  const { $schema: _, '~standard': __, ...schema } = z.toJSONSchema(validator, { io: 'input' });
  return schema as JsonObject;
}
