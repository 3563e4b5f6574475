import type { ErrorCode } from '../../core/errors.ts';
import type { Range } from '../../core/limits.ts';
import type { JsonObject } from '../../core/model.ts';
import { requestSchemas } from '../../use-cases/index.ts';
import * as examples from './examples.ts';

/** The description of an operation in the document, apart from what its policy implies. */
export interface Description {
  tag: 'Files' | 'Questions' | 'Tokens';
  summary: string;
  description: string;
  parameters: JsonObject[];
  body?: JsonObject;
  /** The response with the status 200. */
  response: { description: string; content: JsonObject };
  errors: ErrorCode[];
}

const { datasetId, cursor } = requestSchemas();

export const DATASET_ID = {
  ...datasetId,
  description: 'The dataset. A frontend token implies its own.',
  examples: [examples.DATASET_ID],
};

export const IN_QUERY = {
  datasetId: {
    name: 'datasetId',
    in: 'query',
    description: 'The dataset. A frontend token implies its own; an API key must name one.',
    schema: datasetId,
    example: examples.DATASET_ID,
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `nextCursor` of the previous page.',
    schema: cursor,
  },
};

export const FILE_ID = {
  name: 'fileId',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  example: examples.FILE.fileId,
};

/** The member `success` of a response. */
export const SUCCESS = { const: true };

/** The errors of a JSON body. */
export const JSON_BODY_ERRORS: ErrorCode[] = [
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_CONTENT_TYPE',
];

/** The content of a response or a body in JSON. */
export function json(schema: JsonObject, example: unknown): JsonObject {
  return { 'application/json': { schema, example: example as JsonObject } };
}

/** The schema of a whole number. */
export function integer({ min, max, preset }: Range, description: string): JsonObject {
  return { type: 'integer', minimum: min, maximum: max, default: preset, description };
}
