import type { SearchHit } from '../../core/model.ts';
import { DEFAULT_HITS, LIMITS } from '../../core/policy.ts';
import type { SearchMode } from '../../core/search-mode.ts';
import { builder } from '../builder.ts';
import { askedFor, type ListSize } from '../limits/list-size.ts';

export const FilterInput = builder.inputType('FilterInput', {
  description: 'Matches chunks whose metadata field `key` is exactly `value`, type included.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'A metadata field name, such as `fileId`.' }),
    value: t.field({
      type: 'JSON',
      required: true,
      description: 'A text, a number or a boolean. 1, "1" and true are three different values.',
    }),
  }),
});

export const SearchHitRef = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'A chunk of a file that was found for a question.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      description: 'Cosine similarity of question and chunk; higher is better.',
    }),
    pageContent: t.exposeString('pageContent', { description: 'The text of the chunk.' }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: 'Whose it is, where in its file it is from, and custom metadata.',
    }),
    fileId: t.id({
      description: 'The id of its file.',
      resolve: ({ metadata }) => String(metadata['fileId']),
    }),
    originalName: t.string({
      description: 'The name of its file.',
      resolve: ({ metadata }) => String(metadata['originalName']),
    }),
  }),
});

const SearchModeEnum = builder.enumType('SearchMode', {
  description: 'How chunks are found. Scores are cosine similarities in every mode.',
  values: {
    VECTOR: { value: 'vector', description: 'The nearest to the question, by their vectors.' },
    KEYWORD: {
      value: 'keyword',
      description: 'Those that have words of the question, in any form, by BM25.',
    },
    HYBRID: {
      value: 'hybrid',
      description: 'Both rankings, fused by the reciprocals of their ranks.',
    },
  } as const satisfies Record<string, { value: SearchMode; description: string }>,
});

const SearchInput = builder.inputType('SearchInput', {
  description: 'What to look for.',
  fields: (t) => ({
    datasetId: t.id({ description: "The dataset; a frontend token's own unless given." }),
    question: t.string({ required: true, description: 'A question or a prompt.' }),
    filters: t.field({ type: [FilterInput], description: 'All must match.' }),
    limit: t.int({ description: 'The most hits, 1 to 50; 8 unless given.' }),
    mode: t.field({
      type: SearchModeEnum,
      description: 'How chunks are found; VECTOR unless given. It decides the order of the hits.',
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHitRef],
    description: 'The best chunks for a question, best first. Costs credits.',
    extensions: { listSize: hitsOf },
    args: { input: t.arg({ type: SearchInput, required: true, description: 'What to look for.' }) },
    resolve: (_, { input }, { useCases, call }) =>
      useCases.search(call, { ...input, filters: toFilters(input.filters) }),
  }),
);

/** The hits of a search at most. */
const hitsOf: ListSize = ({ input }) => {
  const limit = typeof input === 'object' && input && 'limit' in input ? input.limit : undefined;
  return askedFor(limit, { preset: DEFAULT_HITS, max: LIMITS.searchHits });
};

/** GraphQL's flat filters in the contract's form. */
export function toFilters(filters: { key: string; value?: unknown }[] | null | undefined) {
  return filters?.map(({ key, value }) => ({ key, match: { value } }));
}
