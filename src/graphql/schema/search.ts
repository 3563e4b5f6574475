import type { ChunkMetadata } from '../../core/chunk-metadata.ts';
import { LIMITS, RANGES } from '../../core/limits.ts';
import type { SearchHit } from '../../core/model.ts';
import type { SearchMode } from '../../core/search-mode.ts';
import { builder, type InputFields } from '../builder.ts';
import { describeRange } from '../describe-range.ts';
import { idempotencyKeyField } from '../idempotency-key-field.ts';
import { askedFor, type ListSize } from '../limits/list-size.ts';
import { selectsTranscripts } from '../selects-transcripts.ts';
import { FileRef } from './file.ts';
import { FilterInput, withFilters } from './filter.ts';
import { ChunkLocationRef } from './location.ts';

export const SearchHitRef = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'A chunk of a file that matches a question.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      description: 'The cosine similarity of question and chunk; higher is better.',
    }),
    pageContent: t.exposeString('pageContent', { description: 'The text of the chunk.' }),
    location: t.field({
      type: ChunkLocationRef,
      description: 'Where the chunk is in the file.',
      resolve: ({ metadata }) => metadata,
    }),
    file: t.field({
      type: FileRef,
      nullable: true,
      description: 'The file; null when it was deleted since.',
      resolve: ({ metadata: { fileId } }: { metadata: ChunkMetadata }, _, { files }, info) =>
        files.load({ of: String(fileId), args: { transcripts: selectsTranscripts(info) } }),
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description:
        'The file and dataset of the chunk, its position in the file, and custom metadata.',
    }),
    fileId: t.id({
      description: 'The id of the file.',
      resolve: ({ metadata: { fileId } }: { metadata: ChunkMetadata }) => String(fileId),
    }),
    originalName: t.string({
      description: 'The name of the file.',
      resolve: ({ metadata: { originalName } }: { metadata: ChunkMetadata }) =>
        String(originalName),
    }),
  }),
});

const SearchModeEnum = builder.enumType('SearchMode', {
  description: 'How chunks are ranked. Scores are cosine similarities in every mode.',
  values: {
    VECTOR: { value: 'vector', description: 'By vector similarity to the question.' },
    KEYWORD: {
      value: 'keyword',
      description: 'By words in common with the question, in any inflection, with BM25.',
    },
    HYBRID: {
      value: 'hybrid',
      description: 'Both rankings, combined by reciprocal rank fusion.',
    },
  } as const satisfies Record<string, { value: SearchMode; description: string }>,
});

/** The fields that a search and a question have in common. */
export function questionFields(t: InputFields) {
  return {
    datasetId: t.id({ description: "The dataset; defaults to the frontend token's dataset." }),
    question: t.string({
      required: true,
      description: `A question or a prompt, at most ${LIMITS.questionCharacters} characters.`,
    }),
    filters: t.field({
      type: [FilterInput],
      description: `Filters on chunk metadata, at most ${LIMITS.filters}. A chunk must match all of them.`,
    }),
    idempotencyKey: idempotencyKeyField(t),
  };
}

const SearchInput = builder.inputType('SearchInput', {
  description: 'The search.',
  fields: (t) => ({
    ...questionFields(t),
    limit: t.int({
      description: `The maximum number of hits to return: ${describeRange(RANGES.searchHits)}.`,
    }),
    mode: t.field({
      type: SearchModeEnum,
      description: 'How chunks are ranked; default VECTOR.',
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHitRef],
    nullable: true,
    description:
      'The chunks that match a question best, best first. A query, although each call costs credits.',
    extensions: { listSize: hitsOf },
    args: { input: t.arg({ type: SearchInput, required: true, description: 'The search.' }) },
    resolve: (_, { input }, { useCases, call }) => useCases.search(call, withFilters(input)),
  }),
);

/** The maximum number of hits of a search. */
const hitsOf: ListSize = ({ input }) => {
  const limit = typeof input === 'object' && input && 'limit' in input ? input.limit : undefined;
  return askedFor(limit, RANGES.searchHits);
};
