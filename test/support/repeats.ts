import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import type { Client, GraphqlReply, Reply } from './client.ts';
import { multipart, sendForm } from './graphql.ts';

/** What came of a call with an idempotency key, in the same form from both doors. */
export interface Repeated {
  status: number;
  /** The result, or the text of the error. */
  body: Reply['body'];
}

export interface RepeatOptions {
  key?: string | undefined;
  /** The question, the text of the file, or the lifetime of the token; another is another request. */
  other?: boolean;
  signal?: AbortSignal;
}

type Ask = (client: Client, options?: RepeatOptions) => Promise<Repeated>;

const question = (other = false) => (other ? 'Is the fox slow?' : 'Is the fox quick?');
const text = (other = false) => (other ? 'The fox is slow.' : 'The fox is quick.');
const seconds = (other = false) => (other ? 60 : 61);

/** Every operation that can be repeated, over both doors, and what it costs. */
export const REPEATABLE: [name: string, price: number, ask: Ask][] = [
  [
    'REST search',
    0.1,
    rest('/search', (other) => ({ datasetId: 'docs', question: question(other) })),
  ],
  [
    'REST answer',
    0.1,
    rest('/query', (other) => ({ datasetId: 'docs', question: question(other), stream: false })),
  ],
  [
    'REST stream',
    0.1,
    rest('/query', (other) => ({ datasetId: 'docs', question: question(other) })),
  ],
  ['REST upload', 1, rest('/files/upload', formOf)],
  [
    'REST token',
    0,
    rest('/tokens/create', (other) => ({ datasetId: 'docs', ttlSeconds: seconds(other) })),
  ],
  [
    'GraphQL search',
    0.1,
    graphql(
      'query ($key: String, $question: String!) { search(input: { datasetId: "docs", question: $question, idempotencyKey: $key }) { score pageContent } }',
      (other) => ({ question: question(other) }),
    ),
  ],
  [
    'GraphQL answer',
    0.1,
    graphql(
      'mutation ($key: String, $question: String!) { answerQuestion(input: { datasetId: "docs", question: $question, idempotencyKey: $key }) { result sources { pageContent } citations { start end supported hit { pageContent } } } }',
      (other) => ({ question: question(other) }),
    ),
  ],
  [
    'GraphQL stream',
    0.1,
    graphql(
      'subscription ($key: String, $question: String!) { askQuestion(input: { datasetId: "docs", question: $question, idempotencyKey: $key }) { __typename ... on AnswerSources { sources { score } } ... on AnswerDelta { delta } ... on AnswerCitation { citation { start end supported } } ... on AnswerCompleted { result citations { end } } } }',
      (other) => ({ question: question(other) }),
    ),
  ],
  ['GraphQL upload', 1, uploadOverGraphql],
  [
    'GraphQL token',
    0,
    graphql(
      'mutation ($key: String, $seconds: Int) { createToken(input: { datasetId: "docs", ttlSeconds: $seconds, idempotencyKey: $key }) { token expiresIn } }',
      (other) => ({ seconds: seconds(other) }),
    ),
  ],
];

/** The call of this name. */
export function repeatable(name: string): Ask {
  const [, , ask] = REPEATABLE.find(([one]) => one === name) ?? [];
  if (!ask) throw new Error(`no call ${name}`);
  return ask;
}

function rest(path: string, bodyOf: (other?: boolean) => unknown): Ask {
  return async (client, { key, other, signal } = {}) => {
    const response = await client.raw('POST', `/v1${path}`, bodyOf(other), {
      ...(signal && { signal }),
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
    const { status } = response;
    const body = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    if (status === 200) return { status, body: isJson ? JSON.parse(body) : body };
    return { status, body: JSON.parse(body).error };
  };
}

function formOf(other?: boolean): FormData {
  const form = new FormData();
  form.set('datasetId', 'docs');
  form.append('file', new Blob([text(other)]), 'fox.txt');
  return form;
}

function graphql(query: string, variablesOf: (other?: boolean) => object): Ask {
  return async (client, { key, other, signal } = {}) => {
    const variables = { key, ...variablesOf(other) };
    const init = { ...(signal && { signal }), headers: { accept: 'text/event-stream' } };
    const response = await client.raw('POST', '/graphql', { query, variables }, init);
    const events = (await response.text()).match(/^data: \{.*$/gm) ?? [];
    const all = events.map((line) => JSON.parse(line.slice('data: '.length)));
    return answered(all.find(({ errors }) => errors)?.errors, all);
  };
}

async function uploadOverGraphql(
  client: Client,
  { key, other, signal }: RepeatOptions = {},
): Promise<Repeated> {
  const form = multipart(
    'mutation ($key: String, $file: Upload!) { uploadFiles(input: { datasetId: "docs", files: [$file], idempotencyKey: $key }) { files { fileId createdAt } billed { fileCount } } }',
    { key, file: null },
    [{ name: 'fox.txt', content: text(other), places: ['variables.file'] }],
  );
  const { data, errors } = await sendForm<Reply['body']>(client, form, signal && { signal });
  return answered(errors, data);
}

function answered(
  errors: Pick<GraphqlReply<unknown>['errors'][number], 'message' | 'extensions'>[] = [],
  body: unknown,
): Repeated {
  const [error] = errors;
  if (!error) return { status: 200, body };
  const known = ERRORS[error.extensions['code'] as ErrorCode];
  if (!known) throw new Error(error.message);
  return { status: known.status, body: error.message };
}
