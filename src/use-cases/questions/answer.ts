import { MIN_DELTA_CHARACTERS } from '../../core/limits.ts';
import type { AnswerEvent, SearchHit } from '../../core/model.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { createChooseSources } from './choose-sources.ts';
import { buildPrompt, type Context, EMPTY_CONTEXT } from './prompt.ts';
import {
  createFindScope,
  createOpenSearch,
  type Question,
  type QuestionInput,
  readQuestionInput,
} from './search.ts';

type Deps = Pick<
  Dependencies,
  'query' | 'index' | 'embeddings' | 'answers' | 'searchMode' | 'contextTokens'
>;

export interface Answer {
  result: string;
  sources: SearchHit[];
}

export interface AskInput extends QuestionInput {
  /** Whether to send the sources as the first event. */
  sources: boolean;
}

/** Answers a question from the documents of a dataset, as a stream of events. */
export function askQuestion(deps: Deps) {
  const answerEvents = createAnswerEvents(deps);
  return {
    read: ({ sources, ...input }: AskInput) => ({ ...readQuestionInput(input), sources }),

    async *run(caller, { sources, ...question }) {
      for await (const event of answerEvents(caller, question)) {
        if (sources || event.type !== 'sources') yield event;
      }
    },
  } satisfies UseCase<
    'answerQuestion',
    AskInput,
    Question & { sources: boolean },
    AsyncIterable<AnswerEvent>
  >;
}

/** Answers a question from the documents of a dataset, as one result. */
export function answerQuestion(deps: Deps) {
  const answerEvents = createAnswerEvents(deps);
  return {
    read: readQuestionInput,
    async run(caller, question): Promise<Answer> {
      const answer: Answer = { result: '', sources: [] };
      for await (const event of answerEvents(caller, question)) {
        if (event.type === 'sources') answer.sources = event.sources;
        if (event.type === 'completed') answer.result = event.result;
      }
      return answer;
    },
  } satisfies UseCase<'answerQuestion', QuestionInput, Question, Promise<Answer>>;
}

/** The stream of events behind both use cases. */
function createAnswerEvents(deps: Deps) {
  const buildContext = createBuildContext(deps);
  return async function* (
    caller: DatasetCaller,
    question: Question,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, record } = caller;
    const context = await buildContext(caller, question);
    yield { type: 'sources', sources: context.sources };
    const words = deps.answers.answer(buildPrompt(question.question, context), signal);
    let result = '';
    for await (const delta of inDeltas(record.timeEach('model', words))) {
      result += delta;
      yield { type: 'delta', delta };
    }
    signal.throwIfAborted();
    yield { type: 'completed', result };
  };
}

/** Retrieves the context for a question. It is empty if the dataset does not exist or has no chunks. */
function createBuildContext({ index, searchMode: mode, ...deps }: Deps) {
  const findScope = createFindScope(deps);
  const openSearch = createOpenSearch({ index, ...deps });
  const chooseSources = createChooseSources({ index, ...deps });
  return async function buildContext(caller: DatasetCaller, question: Question): Promise<Context> {
    const scope = await findScope(caller, question);
    if (!scope) return EMPTY_CONTEXT;
    const find = await openSearch(caller, scope, question);
    const sources = await chooseSources(scope, (limit) => find({ mode, limit }));
    const dataset = { ...scope, filters: [] };
    return { sources, documentFrequencies: (words) => index.documentFrequencies(dataset, words) };
  };
}

/** Joins short texts of a stream, so that each event has a minimum length. */
async function* inDeltas(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let delta = '';
  for await (const text of texts) {
    delta += text;
    if (delta.length < MIN_DELTA_CHARACTERS) continue;
    yield delta;
    delta = '';
  }
  if (delta !== '') yield delta;
}
