import { LIMITS, URL_EXPIRY } from '../../core/limits.ts';
import type { JsonObject } from '../../core/model.ts';
import { requestSchemas } from '../../use-cases/index.ts';
import * as examples from './examples.ts';

/** The schemas that operations refer to by name. */
export function componentSchemas(): JsonObject {
  return { ...filterSchemas(), ...RESPONSES };
}

/** A reference to one of `componentSchemas`. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these members, all of them required except for the optional ones. */
export function objectOf(members: JsonObject, optional: string[] = []): JsonObject {
  const required = Object.keys(members).filter((name) => !optional.includes(name));
  return { type: 'object', properties: members, ...(required.length > 0 && { required }) };
}

function filterSchemas(): JsonObject {
  const { valueFilter, anyFilter, exceptFilter, rangeFilter } = requestSchemas();
  const list = { type: 'array', items: ref('Filter') };
  const member = { anyOf: [list, ref('Filter')] };
  return {
    ValueFilter: { ...valueFilter, description: 'The field is exactly this value.' },
    AnyFilter: {
      ...anyFilter,
      description: 'The field is one of these values, or an array with at least one of them.',
    },
    ExceptFilter: {
      ...exceptFilter,
      description:
        'The field has a value that is none of these, or is an array with such an element; a missing field and `null` do not match.',
    },
    RangeFilter: {
      ...rangeFilter,
      description: 'The field is a number within the bounds, or an array with at least one.',
    },
    FilterGroup: {
      type: 'object',
      description: `Meets all of \`must\`, at least one of \`should\` (if there are any) and none of \`must_not\`. Groups may be ${LIMITS.filterDepth} deep.`,
      properties: { must: member, should: member, must_not: member },
      additionalProperties: false,
      minProperties: 1,
    },
    Filter: {
      description: 'A condition on the metadata of a chunk.',
      anyOf: ['ValueFilter', 'AnyFilter', 'ExceptFilter', 'RangeFilter', 'FilterGroup'].map(ref),
    },
    Filters: {
      description: `Filters that must all match, or one group. At most ${LIMITS.filters} in all, with ${LIMITS.filterValues} values in lists. They apply before the search.`,
      anyOf: [{ ...list, maxItems: LIMITS.filters }, ref('FilterGroup')],
      default: [],
      examples: [examples.FILTERS],
    },
  };
}

const nullable = (type: string) => ({ type: [type, 'null'] });

const fileMembers: JsonObject = {
  customerId: { type: 'string', description: 'The owner.' },
  datasetId: { type: 'string' },
  fileId: { type: 'string', format: 'uuid' },
  filePath: { type: 'string', description: 'The path of the stored copy in object storage.' },
  originalName: { type: 'string' },
  mimeType: nullable('string'),
  size: { ...nullable('integer'), description: 'In bytes.' },
  loaderId: { type: 'string', description: 'The run that made the chunks of the file.' },
  created: { type: 'string', format: 'date-time' },
  extension: {
    type: 'string',
    description: 'With its dot, in lower case; empty when the name has none.',
  },
  transcriptionText: { ...nullable('string'), description: 'Of audio and video only.' },
  transcriptionSrt: {
    anyOf: [{ type: 'array', items: ref('SrtEntry') }, { type: 'null' }],
    description: 'The subtitles of audio and video.',
  },
  extraMeta: {
    ...nullable('object'),
    additionalProperties: true,
    description: 'The custom metadata, which filters can match.',
  },
};

const time = { type: 'string', pattern: String.raw`^\d{2,}:\d{2}:\d{2},\d{3}$` };
const count = { type: 'integer', minimum: 0 };

const RESPONSES: JsonObject = {
  File: { ...objectOf(fileMembers), examples: [examples.FILE] },
  LinkedFile: {
    ...objectOf({
      ...fileMembers,
      permanentUrl: {
        type: 'string',
        format: 'uri',
        description: `A download link that is valid until ${new Date(URL_EXPIRY).getUTCFullYear()}.`,
      },
    }),
    examples: [examples.LINKED_FILE],
  },
  SrtEntry: objectOf({
    id: { type: 'string' },
    startTime: time,
    endTime: time,
    text: { type: 'string' },
  }),
  Billing: objectOf({
    fileCount: { ...count, description: 'Files that were stored.' },
    uploadUnits: { type: 'number', minimum: 0, description: 'The price, in credits.' },
  }),
  ChunkMetadata: {
    type: 'object',
    description:
      'The file of the chunk, where in the file it is (depending on the format), and the custom metadata of the file.',
    properties: {
      fileId: { type: 'string', format: 'uuid' },
      originalName: { type: 'string' },
    },
    additionalProperties: true,
    examples: [examples.HIT.metadata],
  },
  Source: objectOf({
    pageContent: { type: 'string' },
    metadata: ref('ChunkMetadata'),
  }),
  SearchHit: objectOf({
    score: { type: 'number', description: 'How alike question and chunk are; higher is better.' },
    pageContent: { type: 'string' },
    metadata: ref('ChunkMetadata'),
  }),
  StreamEvent: {
    description:
      'The JSON of one message of the event stream. Deltas, then `done`; an `error` takes the place of the normal end. Comments keep an idle connection open.',
    oneOf: [
      objectOf({ delta: { type: 'string', minLength: 1, description: 'A piece of the answer.' } }),
      objectOf({ done: { const: true } }),
      objectOf({ error: { type: 'string' } }),
    ],
  },
  Error: objectOf({ error: { type: 'string', description: 'What is wrong, for people.' } }),
  InsufficientCredits: objectOf({
    error: { const: 'INSUFFICIENT_CREDITS' },
    message: { type: 'string' },
    details: objectOf({
      required: { type: 'number', description: 'Credits that the request costs.' },
      available: { type: 'number', description: 'Credits that are left.' },
    }),
  }),
};
