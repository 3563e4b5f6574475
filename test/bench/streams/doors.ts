import { ASKED } from '../requests/seed.ts';

/** Who streams an answer. */
export interface Door {
  name: string;
  path: string;
  body: object;
  headers?: Record<string, string>;
  /** What the end of a whole answer has. */
  end: string;
}

const QUESTION = { datasetId: ASKED, question: 'How does the gateway keep a file?' };

const ASK = `subscription Ask($input: AskQuestionInput!) {
  askQuestion(input: $input) { ... on AnswerDelta { delta } ... on AnswerCompleted { __typename } }
}`;

export const GATEWAY_DOORS: Door[] = [
  { name: 'REST, SSE', path: '/v1/query', body: QUESTION, end: '{"done":true}' },
  {
    name: 'GraphQL, SSE',
    path: '/graphql',
    body: { query: ASK, variables: { input: QUESTION } },
    headers: { accept: 'text/event-stream' },
    end: 'AnswerCompleted',
  },
];

/** The model itself: what remains is the delay of the measurement. */
export function modelDoor(model: string): Door {
  const body = { model, stream: true };
  return { name: 'the model itself', path: '/v1/chat/completions', body, end: '[DONE]' };
}
