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
  /** Whether the sources come first, as a result of their own. */
  sources: boolean;
}

/** Answers a question from a dataset's documents, piece by piece. */
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

/** Answers a question from a dataset's documents, in one piece. */
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

/** The one stream behind every way to ask. */
function createAnswerEvents(deps: Deps) {
  const buildContext = createBuildContext(deps);
  return async function* (
    caller: DatasetCaller,
    question: Question,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, record } = caller;
    const context = await buildContext(caller, question);
    yield { type: 'sources', sources: context.sources };
    const pieces = deps.answers.answer(buildPrompt(question.question, context), signal);
    let result = '';
    for await (const delta of inDeltas(record.timeEach('model', pieces))) {
      result += delta;
      yield { type: 'delta', delta };
    }
    signal.throwIfAborted();
    yield { type: 'completed', result };
  };
}

/** What a question is answered from: nothing when the dataset is not there or has no chunks. */
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

/** Gathers pieces until they are worth an event. */
async function* inDeltas(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let gathered = '';
  for await (const piece of pieces) {
    gathered += piece;
    if (gathered.length < MIN_DELTA_CHARACTERS) continue;
    yield gathered;
    gathered = '';
  }
  if (gathered !== '') yield gathered;
}
