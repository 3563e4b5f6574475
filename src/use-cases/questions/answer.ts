import type { Answer, AnswerEvent, Citation, Turn } from '../../core/answer.ts';
import { invalidInput } from '../../core/errors.ts';
import { MIN_DELTA_CHARACTERS } from '../../core/limits.ts';
import type { SearchHit } from '../../core/model.ts';
import type { ChunkScope } from '../../ports/chunk-index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { createChooseSources } from './choose-sources.ts';
import { cite } from './cite.ts';
import { createToStandalone } from './follow-up.ts';
import { readHistory } from './history.ts';
import { buildPrompt, type Context, EMPTY_CONTEXT } from './prompt.ts';
import {
  createFindScope,
  createOpenSearch,
  type Question,
  type QuestionInput,
  readQuestionInput,
} from './search.ts';
import { readWishes, type Wishes } from './wishes.ts';

type Deps = Pick<
  Dependencies,
  'query' | 'index' | 'embeddings' | 'answers' | 'supports' | 'searchMode' | 'contextTokens'
>;

export interface AnswerInput extends QuestionInput {
  /** The conversation before the question: a list of `Turn`, oldest first. */
  history?: unknown;
  /** How to write the answer. */
  instructions?: unknown;
  /** The language of the answer, as a BCP 47 tag; that of the question by default. */
  language?: unknown;
  /** Whether the caller asked for a stream. It is only checked here, after what a request must have. */
  stream?: unknown;
}

export interface AskInput extends AnswerInput {
  /** Whether to send the sources, and when. */
  sources: SourcesEvent;
}

/**
 * `true`: as the first event, before the model is asked, at which point the answer is paid.
 * `with-answer`: right before the first part of the answer; until then a failure costs nothing.
 */
type SourcesEvent = boolean | 'with-answer';

/** A question that follows other turns, if any, with instructions for its answer. */
interface AskedQuestion extends Question, Wishes {
  history: Turn[];
}

/** Answers a question from the documents of a dataset, as a stream of events. */
export function askQuestion(deps: Deps) {
  const answerEvents = createAnswerEvents(deps);
  return {
    read: ({ sources, ...input }: AskInput) => ({ ...readAnswerInput(input), sources }),
    isLast: ({ type }) => type === 'completed',

    async *run(caller, { sources, ...question }) {
      let waiting: AnswerEvent | undefined;
      for await (const event of answerEvents(caller, question)) {
        if (event.type === 'sources' && sources !== true) {
          if (sources) waiting = event;
          continue;
        }
        if (waiting) yield waiting;
        waiting = undefined;
        yield event;
      }
    },
  } satisfies UseCase<
    'answerQuestion',
    AskInput,
    AskedQuestion & { sources: SourcesEvent },
    AsyncIterable<AnswerEvent>
  >;
}

/** Answers a question from the documents of a dataset, as one result. */
export function answerQuestion(deps: Deps) {
  const answerEvents = createAnswerEvents(deps);
  return {
    read: readAnswerInput,
    async run(caller, question): Promise<Answer> {
      const answer: Answer = { result: '', sources: [], citations: [] };
      for await (const { type, ...event } of answerEvents(caller, question)) {
        if (type === 'sources' || type === 'completed') Object.assign(answer, event);
      }
      return answer;
    },
  } satisfies UseCase<'answerQuestion', AnswerInput, AskedQuestion, Promise<Answer>>;
}

function readAnswerInput(input: AnswerInput): AskedQuestion {
  const question = readQuestionInput(input);
  if (typeof (input.stream ?? true) !== 'boolean') {
    invalidInput('stream must be true or false');
  }
  return { ...question, ...readWishes(input), history: readHistory(input.history) };
}

/** The stream of events behind both use cases. */
function createAnswerEvents(deps: Deps) {
  const toStandalone = createToStandalone(deps);
  const buildContext = createBuildContext(deps);
  return async function* (
    caller: DatasetCaller,
    asked: AskedQuestion,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, record } = caller;
    const standalone = await toStandalone(caller, asked.question, asked.history);
    const context = await buildContext(caller, { ...asked, question: standalone });
    yield { type: 'sources', sources: context.sources };
    const pieces = startAnswer({ ...asked, standalone }, context, signal);
    const parts = cite(record.timeEach('model', pieces), context.sources, deps.supports);
    let result = '';
    const citations: Citation[] = [];
    for await (const event of inDeltas(parts)) {
      if (event.type === 'delta') result += event.delta;
      else citations.push(event.citation);
      yield event;
    }
    signal.throwIfAborted();
    yield { type: 'completed', result, citations };
  };

  /** A separate function, so that the prompt is not kept in memory for as long as the events are produced. */
  function startAnswer(
    asked: AskedQuestion & { standalone: string },
    context: Context,
    signal: AbortSignal,
  ) {
    return deps.answers.answer(buildPrompt(asked, context), signal);
  }
}

/** Retrieves the context for a question. It is empty if the dataset does not exist or has no chunks. */
function createBuildContext({ index, searchMode: mode, ...deps }: Deps) {
  const findScope = createFindScope(deps);
  const openSearch = createOpenSearch({ index, ...deps });
  const chooseSources = createChooseSources({ index, ...deps });
  return async function buildContext(caller: DatasetCaller, question: Question): Promise<Context> {
    const scope = await findScope(caller, question);
    if (!scope) return EMPTY_CONTEXT;
    const sources = await findSources(caller, scope, question);
    const dataset = { ...scope, filters: caller.filters };
    return { sources, documentFrequencies: (words) => index.documentFrequencies(dataset, words) };
  };

  /** A separate function, so that the vector of the question is not kept in memory as long as the context. */
  async function findSources(
    caller: DatasetCaller,
    scope: ChunkScope,
    question: Question,
  ): Promise<SearchHit[]> {
    const find = await openSearch(caller, scope, question);
    return chooseSources(scope, (limit) => find({ mode, limit }));
  }
}

/**
 * Joins short texts, so that each delta has a minimum length. A citation is sent once the deltas
 * reach the end of its statement.
 */
async function* inDeltas(
  parts: AsyncIterable<string | Citation>,
): AsyncGenerator<Extract<AnswerEvent, { type: 'delta' | 'citation' }>, void, undefined> {
  let delta = '';
  let sent = 0;
  const waiting: Citation[] = [];

  for await (const part of parts) {
    if (typeof part === 'string') delta += part;
    else waiting.push(part);
    if (delta.length >= MIN_DELTA_CHARACTERS) yield send();
    while (waiting[0] && waiting[0].end <= sent) yield* citations(1);
  }
  if (delta !== '') yield send();
  yield* citations(waiting.length);

  function send() {
    const event = { type: 'delta' as const, delta };
    sent += delta.length;
    delta = '';
    return event;
  }

  function* citations(count: number) {
    for (const citation of waiting.splice(0, count)) yield { type: 'citation' as const, citation };
  }
}
