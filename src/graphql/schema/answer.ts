import type { Answer, AnswerEvent, Citation, Turn } from '../../core/answer.ts';
import { LIMITS, MIN_DELTA_CHARACTERS } from '../../core/limits.ts';
import { builder } from '../builder.ts';
import { withCancel } from '../with-cancel.ts';
import { withFilters } from './filter.ts';
import { questionFields, SearchHitRef } from './search.ts';

const TurnRole = builder.enumType('TurnRole', {
  description: 'The speaker of a turn.',
  values: {
    USER: { value: 'user', description: 'The one who asks.' },
    ASSISTANT: { value: 'assistant', description: 'The one who answers.' },
  } as const satisfies Record<string, { value: Turn['role']; description: string }>,
});

const TurnInput = builder.inputType('TurnInput', {
  description: 'A turn of a conversation: a question or an answer.',
  fields: (t) => ({
    role: t.field({ type: TurnRole, required: true, description: 'The speaker.' }),
    content: t.string({
      required: true,
      description: `The text of the turn, at most ${LIMITS.turnCharacters} characters.`,
    }),
  }),
});

const AskQuestionInput = builder.inputType('AskQuestionInput', {
  description: 'A question about the documents in a dataset.',
  fields: (t) => ({
    ...questionFields(t),
    history: t.field({
      type: [TurnInput],
      description: `The conversation before the question, oldest turn first, at most ${LIMITS.historyTurns} turns; the model is shown the newest. The model first rewrites the question as a standalone question, in another call that costs nothing extra. The server keeps no history: send the turns with each question.`,
    }),
    instructions: t.string({
      description: `How to write the answer: tone, length, format, audience; at most ${LIMITS.instructionsCharacters} characters. The answer is still based on the documents alone. The offline model ignores instructions.`,
    }),
    language: t.string({
      description:
        'The language of the answer, as a BCP 47 tag such as `de` or `pt-BR`; by default the language of the question. The offline model quotes the documents in their own language.',
    }),
  }),
});

const CitationRef = builder.objectRef<Citation>('Citation').implement({
  description:
    'A statement of an answer and a chunk that the model cited for it. A statement with several chunks has a citation for each.',
  fields: (t) => ({
    start: t.exposeInt('start', {
      description:
        'Where the statement begins in the text of the answer, in UTF-16 code units, as JavaScript counts them.',
    }),
    end: t.exposeInt('end', {
      description: 'Where the statement ends, exclusive: `result.slice(start, end)`.',
    }),
    hit: t.expose('hit', { type: SearchHitRef, description: 'One of the sources of the answer.' }),
    supported: t.exposeBoolean('supported', {
      description:
        'Whether the chunk supports the statement. The words of both are compared, with their inflections and some synonyms: a statement in other words or in another language than the chunk may be correct and not supported.',
    }),
  }),
});

const AnswerQuestionPayload = builder.objectRef<Answer>('AnswerQuestionPayload').implement({
  description: 'A complete answer.',
  fields: (t) => ({
    result: t.exposeString('result', { description: 'The text of the answer.' }),
    sources: t.expose('sources', {
      type: [SearchHitRef],
      description: 'The chunks the answer is based on, best first.',
    }),
    citations: t.expose('citations', {
      type: [CitationRef],
      description: 'The statements with their chunks, in the order of the text.',
    }),
  }),
});

builder.mutationField('answerQuestion', (t) =>
  t.field({
    type: AnswerQuestionPayload,
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

const AnswerCitation = builder.objectRef<EventOf<'citation'>>('AnswerCitation').implement({
  description: 'A statement of the text so far, and a chunk that the model named for it.',
  fields: (t) => ({
    citation: t.expose('citation', { type: CitationRef, description: 'The citation.' }),
  }),
});

const AnswerCompleted = builder.objectRef<EventOf<'completed'>>('AnswerCompleted').implement({
  description: 'The answer is complete. The last event.',
  fields: (t) => ({
    result: t.exposeString('result', { description: 'The complete text of the answer.' }),
    citations: t.expose('citations', {
      type: [CitationRef],
      description: 'All citations, in the order of the text.',
    }),
  }),
});

const TYPE_NAMES = {
  sources: 'AnswerSources',
  delta: 'AnswerDelta',
  citation: 'AnswerCitation',
  completed: 'AnswerCompleted',
} as const satisfies Record<AnswerEvent['type'], string>;

const AnswerEventRef = builder.unionType('AnswerEvent', {
  description:
    'An event while a question is answered: the sources first, then parts of the answer with its citations, then the end.',
  types: [AnswerSources, AnswerDelta, AnswerCitation, AnswerCompleted],
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
