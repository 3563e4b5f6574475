import { type Connection, newIdempotencyKey, type RequestOptions, receive } from './connection.ts';
import { FilequeryError, graphqlError } from './errors.ts';
import { readEvents } from './read-events.ts';
import { toGraphqlFilters } from './to-graphql-filters.ts';
import type { AnswerEvent, Filter, FilterGroup } from './types.ts';

export interface AskOptions extends RequestOptions {
  /** The dataset; a frontend token implies its own. */
  datasetId?: string;
  filters?: Filter[] | FilterGroup;
  /** The conversation before the question, oldest first. */
  history?: { role: 'USER' | 'ASSISTANT'; content: string }[];
  /** How the answer is to be written. */
  instructions?: string;
  /** The language of the answer, as a BCP 47 tag. */
  language?: string;
}

/**
 * Asks a question. The answer comes by the subscription of GraphQL, because REST has no citations. A
 * stream that breaks off is asked for again with its idempotency key: the gateway then sends the same
 * events, of which only those are given that were not given before.
 *
 * @throws FilequeryError
 */
export async function* ask(
  connection: Connection,
  question: string,
  { signal, idempotencyKey = newIdempotencyKey(), filters, ...wishes }: AskOptions = {},
): AsyncGenerator<AnswerEvent, void, undefined> {
  const input = { ...wishes, question, idempotencyKey, filters: toGraphqlFilters(filters) };
  const body = JSON.stringify({ query: SUBSCRIPTION, variables: { input } });
  const attempts = connection.begin({ signal, idempotencyKey });
  const given: string[] = [];

  for (;;) {
    const credential = await attempts.credential();
    let count = 0;
    try {
      const response = await connection.once(
        { method: 'POST', path: '/graphql', headers: HEADERS, body, signal },
        credential,
      );
      for await (const event of answerEvents(response, signal)) {
        const text = JSON.stringify(event);
        const before = given[count++];
        if (before === undefined) {
          given.push(text);
          yield event;
        } else if (before !== text) throw changed();
        if (event.type === 'completed') return;
      }
      throw new FilequeryError('The answer broke off', { code: 'NETWORK' });
    } catch (error) {
      // The gateway gave up this answer; another try would write another one.
      if (count > 0 && !isBroken(error)) throw error;
      await attempts.failed(error);
    }
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof FilequeryError && error.code === 'NETWORK';
}

/** An answer that broke off for good was not paid, and the next one is another. */
function changed(): FilequeryError {
  return new FilequeryError('The answer broke off and cannot be continued: ask again', {
    code: 'ANSWER_CHANGED',
  });
}

const HEADERS = { 'content-type': 'application/json', accept: 'text/event-stream' };

const SUBSCRIPTION = `
  subscription ($input: AskQuestionInput!) {
    askQuestion(input: $input) {
      ... on AnswerSources { type: __typename sources { ...Hit } }
      ... on AnswerDelta { type: __typename delta }
      ... on AnswerCitation { type: __typename citation { ...Cited } }
      ... on AnswerCompleted { type: __typename result citations { ...Cited } }
    }
  }
  fragment Hit on SearchHit { score pageContent metadata }
  fragment Cited on Citation { start end supported hit { ...Hit } }
`;

const TYPES: Record<string, AnswerEvent['type']> = {
  AnswerSources: 'sources',
  AnswerDelta: 'delta',
  AnswerCitation: 'citation',
  AnswerCompleted: 'completed',
};

interface Message {
  data?: { askQuestion?: { type: string } } | null;
  errors?: { message: string; extensions?: Record<string, unknown> }[];
}

async function* answerEvents(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const messages = readEvents(response);
  try {
    for (;;) {
      const { done, value } = await receive(() => messages.next(), signal);
      if (done) return;
      if (value.event !== 'next') continue;
      const { data, errors }: Message = JSON.parse(value.data);
      const [error] = errors ?? [];
      if (error) throw graphqlError(error);
      const event = data?.askQuestion;
      if (event) yield { ...event, type: TYPES[event.type] } as AnswerEvent;
    }
  } finally {
    await messages.return();
  }
}
