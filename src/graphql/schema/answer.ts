import { MIN_DELTA_CHARACTERS } from '../../core/limits.ts';
import type { AnswerEvent } from '../../core/model.ts';
import type { Answer } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { withFilters } from './filter.ts';
import { questionFields, SearchHitRef } from './search.ts';

const AskQuestionInput = builder.inputType('AskQuestionInput', {
  description: 'A question about the documents in a dataset.',
  fields: questionFields,
});

const AnswerRef = builder.objectRef<Answer>('Answer').implement({
  description: 'A complete answer.',
  fields: (t) => ({
    result: t.exposeString('result', { description: 'The text of the answer.' }),
    sources: t.expose('sources', {
      type: [SearchHitRef],
      description: 'The chunks the answer is based on, best first.',
    }),
  }),
});

builder.mutationField('answerQuestion', (t) =>
  t.field({
    type: AnswerRef,
    description: 'Answers a question from the documents in a dataset. Costs credits.',
    args: {
      input: t.arg({ type: AskQuestionInput, required: true, description: 'The question.' }),
    },
    resolve: (_, { input }, { useCases, call }) =>
      useCases.answerQuestion(call, withFilters(input)),
  }),
);

type EventOf<T extends AnswerEvent['type']> = Extract<AnswerEvent, { type: T }>;

const AnswerSources = builder.objectRef<EventOf<'sources'>>('AnswerSources').implement({
  description: 'The chunks the answer is based on. The first event.',
  fields: (t) => ({
    sources: t.expose('sources', { type: [SearchHitRef], description: 'The chunks, best first.' }),
  }),
});

const AnswerDelta = builder.objectRef<EventOf<'delta'>>('AnswerDelta').implement({
  description: 'A part of the answer.',
  fields: (t) => ({
    delta: t.exposeString('delta', {
      description: `The next part of the text: at least ${MIN_DELTA_CHARACTERS} characters, except for the last one.`,
    }),
  }),
});

const AnswerCompleted = builder.objectRef<EventOf<'completed'>>('AnswerCompleted').implement({
  description: 'The answer is complete. The last event.',
  fields: (t) => ({
    completed: t.boolean({ description: 'Always true.', resolve: () => true }),
    result: t.exposeString('result', { description: 'The complete text of the answer.' }),
  }),
});

const TYPE_NAMES = {
  sources: 'AnswerSources',
  delta: 'AnswerDelta',
  completed: 'AnswerCompleted',
} as const satisfies Record<AnswerEvent['type'], string>;

const AnswerEventRef = builder.unionType('AnswerEvent', {
  description:
    'An event while a question is answered: the sources first, then parts of the answer, then the end.',
  types: [AnswerSources, AnswerDelta, AnswerCompleted],
  resolveType: ({ type }) => TYPE_NAMES[type],
});

builder.subscriptionField('askQuestion', (t) =>
  t.field({
    type: AnswerEventRef,
    description: 'Answers a question from the documents in a dataset, as a stream. Costs credits.',
    args: {
      input: t.arg({ type: AskQuestionInput, required: true, description: 'The question.' }),
    },
    subscribe: (_, { input }, context) =>
      withCancel(
        context.useCases.askQuestion(context.call, { ...withFilters(input), sources: true }),
        context,
      ),
    resolve: (event) => event,
  }),
);

/** Cancels the call when the client unsubscribes: `return` alone would wait for the model's next token. */
function withCancel<T>(
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
