import type { AnswerEvent } from '../../core/model.ts';
import type { Answer } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { FilterInput, SearchHitRef, toFilters } from './search.ts';

const AskQuestionInput = builder.inputType('AskQuestionInput', {
  description: 'A question about the documents of a dataset.',
  fields: (t) => ({
    datasetId: t.id({ description: "The dataset; a frontend token's own unless given." }),
    question: t.string({ required: true, description: 'A question or a prompt.' }),
    filters: t.field({ type: [FilterInput], description: 'Narrow the documents; all must match.' }),
  }),
});

const AnswerRef = builder.objectRef<Answer>('Answer').implement({
  description: 'An answer in one piece.',
  fields: (t) => ({
    result: t.exposeString('result', { description: 'The answer.' }),
    sources: t.expose('sources', {
      type: [SearchHitRef],
      description: 'The chunks it was written from, best first.',
    }),
  }),
});

builder.mutationField('answerQuestion', (t) =>
  t.field({
    type: AnswerRef,
    description: 'Answers a question from the documents of a dataset. Costs credits.',
    args: {
      input: t.arg({ type: AskQuestionInput, required: true, description: 'The question.' }),
    },
    resolve: (_, { input }, { useCases, call }) =>
      useCases.answerQuestion(call, { ...input, filters: toFilters(input.filters) }),
  }),
);

type EventOf<T extends AnswerEvent['type']> = Extract<AnswerEvent, { type: T }>;

const AnswerSources = builder.objectRef<EventOf<'sources'>>('AnswerSources').implement({
  description: 'The chunks that the answer will be written from. Comes first.',
  fields: (t) => ({
    sources: t.expose('sources', { type: [SearchHitRef], description: 'The chunks, best first.' }),
  }),
});

const AnswerDelta = builder.objectRef<EventOf<'delta'>>('AnswerDelta').implement({
  description: 'A piece of the answer.',
  fields: (t) => ({
    delta: t.exposeString('delta', {
      description: 'The piece: at least 30 characters, but for the last one.',
    }),
  }),
});

const AnswerCompleted = builder.objectRef<EventOf<'completed'>>('AnswerCompleted').implement({
  description: 'The answer is complete. Comes last.',
  fields: (t) => ({
    completed: t.boolean({ description: 'Always true.', resolve: () => true }),
    result: t.exposeString('result', { description: 'The whole answer.' }),
  }),
});

const TYPE_NAMES = {
  sources: 'AnswerSources',
  delta: 'AnswerDelta',
  completed: 'AnswerCompleted',
} as const satisfies Record<AnswerEvent['type'], string>;

const AnswerEventRef = builder.unionType('AnswerEvent', {
  description:
    'What answering a question yields: sources, then pieces of the answer, then the end.',
  types: [AnswerSources, AnswerDelta, AnswerCompleted],
  resolveType: ({ type }) => TYPE_NAMES[type],
});

builder.subscriptionField('askQuestion', (t) =>
  t.field({
    type: AnswerEventRef,
    description: 'Answers a question piece by piece. Costs credits.',
    args: {
      input: t.arg({ type: AskQuestionInput, required: true, description: 'The question.' }),
    },
    subscribe: (_, { input }, context) =>
      endAtOnce(
        context.useCases.askQuestion(context.call, {
          ...input,
          filters: toFilters(input.filters),
          sources: true,
        }),
        context,
      ),
    resolve: (event) => event,
  }),
);

/** A generator that waits for a model hears of its reader's leaving only when the waiting is over: tell the model. */
function endAtOnce<T>(
  events: AsyncGenerator<T, void, undefined>,
  { cancel, explain }: GraphqlContext,
): AsyncIterableIterator<T> {
  return {
    next: () => events.next().catch((error: unknown) => Promise.reject(explain(error))),
    return: () => {
      cancel();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
