import { type Connection, newIdempotencyKey, type RequestOptions } from './connection.ts';
import { subscribe } from './subscribe.ts';
import { toGraphqlFilters } from './to-graphql-filters.ts';
import type { AnswerEvent, Filter, FilterGroup } from './types.ts';

export interface AskOptions extends RequestOptions {
  /** The dataset; a frontend token implies its own. */
  datasetId?: string;
  /** Only chunks that match all filters of the list, or the group; by default all chunks of the dataset. */
  filters?: Filter[] | FilterGroup;
  /** The conversation before the question, oldest first. */
  history?: { role: 'USER' | 'ASSISTANT'; content: string }[];
  /** How to write the answer: tone, length, format. */
  instructions?: string;
  /** The language of the answer, as a BCP 47 tag. */
  language?: string;
}

/**
 * Asks a question. The answer is read with the GraphQL subscription, because REST has no citations. A stream
 * that breaks off is requested again with its idempotency key: the gateway then sends the same events, of
 * which only those that were not yielded before are yielded.
 *
 * @throws FilequeryError
 */
export async function* ask(
  connection: Connection,
  question: string,
  { signal, idempotencyKey = newIdempotencyKey(), filters, ...wishes }: AskOptions = {},
): AsyncGenerator<AnswerEvent, void, undefined> {
  const input = { ...wishes, question, idempotencyKey, filters: toGraphqlFilters(filters) };
  const data = subscribe<{ askQuestion: { type: string } }>(
    connection,
    { query: SUBSCRIPTION, variables: { input } },
    { signal, idempotencyKey, isLast: ({ askQuestion }) => askQuestion.type === LAST },
  );
  for await (const { askQuestion: event } of data) {
    yield { ...event, type: TYPES[event.type] } as AnswerEvent;
  }
}

const LAST = 'AnswerCompleted';

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
  [LAST]: 'completed',
};
