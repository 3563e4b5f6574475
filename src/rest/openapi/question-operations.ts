import { RANGES } from '../../core/limits.ts';
import type { JsonObject } from '../../core/model.ts';
import { SEARCH_MODES } from '../../core/search-mode.ts';
import { requestSchemas } from '../../use-cases/index.ts';
import {
  DATASET_ID,
  type Description,
  integer,
  JSON_BODY_ERRORS,
  json,
  SUCCESS,
} from './describe.ts';
import * as examples from './examples.ts';
import { objectOf, ref } from './schemas.ts';

const ASKED = {
  datasetId: DATASET_ID,
  question: { ...requestSchemas().question, examples: [examples.QUESTION] },
  filters: ref('Filters'),
};
const EXAMPLE = {
  datasetId: examples.DATASET_ID,
  question: examples.QUESTION,
  filters: examples.FILTERS,
};

export const answerQuestion: Description = {
  tag: 'Questions',
  summary: 'Answer a question from the files of a dataset',
  description:
    'As a stream of Server-Sent Events, or with `stream: false` as one JSON document with the sources. A failure before the first part of the answer has an error status; a later one is an event.',
  parameters: [],
  body: body(
    {
      ...ASKED,
      stream: { type: 'boolean', default: true, description: 'Whether to answer as a stream.' },
    },
    { ...EXAMPLE, stream: false },
  ),
  response: {
    description: 'The answer.',
    content: {
      'text/event-stream': { schema: ref('StreamEvent'), example: { delta: examples.ANSWER } },
      ...json(
        objectOf({
          success: SUCCESS,
          data: objectOf({
            result: { type: 'string', description: 'The answer.' },
            sources: {
              type: 'array',
              items: ref('Source'),
              description: 'The chunks that it was written from, best first.',
            },
          }),
        }),
        { success: true, data: { result: examples.ANSWER, sources: [examples.SOURCE] } },
      ),
    },
  },
  errors: [...JSON_BODY_ERRORS, 'EMBEDDING_MODEL_MISMATCH'],
};

export const search: Description = {
  tag: 'Questions',
  summary: 'Find the best chunks for a question',
  description: 'Without a language model.',
  parameters: [],
  body: body(
    {
      ...ASKED,
      limit: integer(RANGES.searchHits, 'The most chunks to return.'),
      mode: {
        type: 'string',
        enum: [...SEARCH_MODES],
        default: 'vector',
        description: 'By meaning, by words, or by both. Upper case is also accepted.',
      },
    },
    { ...EXAMPLE, limit: 3, mode: 'hybrid' },
  ),
  response: {
    description: 'The chunks, best first.',
    content: json(
      objectOf({ success: SUCCESS, data: { type: 'array', items: ref('SearchHit') } }),
      { success: true, data: [examples.HIT] },
    ),
  },
  errors: [...JSON_BODY_ERRORS, 'EMBEDDING_MODEL_MISMATCH'],
};

/** A body in which only the question is always required. */
function body(members: JsonObject & { question: unknown }, example: JsonObject): JsonObject {
  const optional = Object.keys(members).filter((name) => name !== 'question');
  return { required: true, content: json(objectOf(members, optional), example) };
}
