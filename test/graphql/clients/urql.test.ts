import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createSseClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AnswerQuestionDocument,
  AskQuestionDocument,
  type AskQuestionSubscription,
  FilesDocument,
  UploadFilesDocument,
} from '../../../src/generated/graphql.ts';
import { QUESTION, type Served, serveShared } from '../../support/served.ts';

let served: Served;

beforeAll(async () => {
  served = await serveShared();
});
afterAll(() => served.stop());

it('asks, and uploads', async () => {
  const client = connect();
  const files = [new File(['Bananas.'], 'b.txt'), new File(['Cherries.'], 'c.txt')];
  const uploaded = await client.mutation(UploadFilesDocument, { datasetId: 'urql', files });
  expect(uploaded.error).toBeUndefined();
  expect(uploaded.data?.uploadFiles.dataset?.fileCount).toBe(2);
  const listed = await client.query(FilesDocument, { datasetId: 'urql' });
  expect(listed.data?.files?.nodes.map(({ originalName }) => originalName).sort()).toEqual([
    'b.txt',
    'c.txt',
  ]);
});

it('tells errors with their codes', async () => {
  const answered = await connect().mutation(AnswerQuestionDocument, { question: QUESTION });
  expect(answered.error?.graphQLErrors).toMatchObject([
    { extensions: { code: 'DATASET_AND_QUESTION_REQUIRED' } },
  ]);
});

describe('streams an answer', () => {
  it('with its own fetchSubscriptions', async () => {
    expect(await ask(connect({ fetchSubscriptions: true }))).toContain('Andorra la Vella');
  });

  it('with graphql-sse', async () => {
    const { url, headers } = served;
    const sse = createSseClient({ url, headers, retryAttempts: 0 });
    const exchange = subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: sse.subscribe({ query, variables }, sink as never),
        }),
      }),
    });
    expect(await ask(connect({ exchanges: [exchange] }))).toContain('Andorra la Vella');
  });
});

function connect({
  exchanges = [],
  ...options
}: Partial<ConstructorParameters<typeof Client>[0]> = {}) {
  const { url, headers } = served;
  return new Client({
    url,
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [cacheExchange, ...exchanges, fetchExchange],
    ...options,
  });
}

/** The answer to the question, from its deltas. */
function ask(client: Client): Promise<string> {
  const variables = { datasetId: 'docs', question: QUESTION };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  client
    .subscription<AskQuestionSubscription>(AskQuestionDocument, variables)
    .subscribe(({ data, error }) => {
      if (error) reject(error);
      if (data && 'delta' in data.askQuestion) text += data.askQuestion.delta;
      if (data && 'result' in data.askQuestion) {
        expect(text).toBe(data.askQuestion.result);
        resolve(text);
      }
    });
  return promise;
}
