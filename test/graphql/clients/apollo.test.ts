import { createHash } from 'node:crypto';
import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AnswerQuestionDocument,
  AskQuestionDocument,
  FilesDocument,
  UploadFilesDocument,
  ViewerDocument,
} from '../../../src/generated/graphql.ts';
import { QUESTION, type Served, serveShared } from '../../support/served.ts';

let served: Served;

beforeAll(async () => {
  served = await serveShared();
});
afterAll(() => served.stop());

it('asks, and uploads with its upload link', async () => {
  const { url: uri, headers } = served;
  const client = connect(new UploadHttpLink({ uri, headers }));
  const variables = { datasetId: 'apollo', files: [new File(['Bananas.'], 'b.txt')] };
  const uploaded = await client.mutate({ mutation: UploadFilesDocument, variables });
  expect(uploaded.data?.uploadFiles.files).toMatchObject([{ originalName: 'b.txt' }]);
  const { data } = await client.query({ query: FilesDocument, variables: { datasetId: 'apollo' } });
  expect(data?.files?.totalCount).toBe(1);
});

it('tells errors with their codes', async () => {
  const failure = connect(http()).mutate({
    mutation: AnswerQuestionDocument,
    variables: { question: QUESTION },
  });
  const error = await failure.catch((reason: unknown) => reason);
  expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([
    { extensions: { code: 'DATASET_AND_QUESTION_REQUIRED' } },
  ]);
});

it('sends a document when its persisted query is not supported', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const bodies: string[] = [];
  const link = new PersistedQueryLink({ sha256 }).concat(http(bodies));
  const client = connect(link);
  for (let time = 0; time < 2; time++) {
    const { data } = await client.query({ query: ViewerDocument, fetchPolicy: 'network-only' });
    expect(data?.viewer?.customerName).toBe('test');
  }
  // After the first refusal, hashes are not sent any more.
  expect(bodies.map((body) => 'query' in JSON.parse(body))).toEqual([false, true, true]);
});

describe('streams an answer', () => {
  it('in the parts of a multipart response', async () => {
    expect(await ask(connect(http()))).toContain('Andorra la Vella');
  });

  it('through an SSE link', async () => {
    const { url, headers } = served;
    const sse = createSseClient({ url, headers, retryAttempts: 0 });
    const link = new ApolloLink(
      ({ query, variables }) =>
        new Observable((sink) => sse.subscribe({ query: print(query), variables }, sink as never)),
    );
    expect(await ask(connect(link))).toContain('Andorra la Vella');
  });

  it('and is told of a refusal', async () => {
    const events = connect(http()).subscribe({
      query: AskQuestionDocument,
      variables: { datasetId: 'docs', question: ' ' },
      fetchPolicy: 'no-cache',
    });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    events.subscribe({ next: ({ error }) => resolve(error), error: resolve });
    const error = await promise;
    expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([
      { extensions: { code: 'DATASET_AND_QUESTION_REQUIRED' } },
    ]);
  });
});

function connect(link: ApolloLink): ApolloClient {
  return new ApolloClient({ cache: new InMemoryCache(), link });
}

/** The link of every client. @param bodies takes the bodies that it sends */
function http(bodies: unknown[] = []): HttpLink {
  const { url: uri, headers } = served;
  return new HttpLink({
    uri,
    headers,
    fetch(input, init) {
      bodies.push(init?.body);
      return fetch(input, init);
    },
  });
}

/** The answer to the question, from its deltas. */
function ask(client: ApolloClient): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const variables = { datasetId: 'docs', question: QUESTION };
  // Events are not objects of a cache.
  const fetchPolicy = 'no-cache';
  client.subscribe({ query: AskQuestionDocument, variables, fetchPolicy }).subscribe({
    next({ data, error }) {
      if (error) reject(error);
      if (data && 'delta' in data.askQuestion) text += data.askQuestion.delta;
    },
    error: reject,
    complete: () => resolve(text),
  });
  return promise;
}
