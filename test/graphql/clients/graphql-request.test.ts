import { ClientError, GraphQLClient } from 'graphql-request';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnswerQuestionDocument, FilesDocument } from '../../../src/generated/graphql.ts';
import { QUESTION, type Served, serveShared } from '../../support/served.ts';

let served: Served;
let client: GraphQLClient;

beforeAll(async () => {
  served = await serveShared();
  client = new GraphQLClient(served.url, { headers: served.headers });
});
afterAll(() => served.stop());

it('asks, with documents that have types', async () => {
  const { files } = await client.request(FilesDocument, { datasetId: 'docs' });
  expect(files?.nodes.map(({ originalName }) => originalName)).toEqual(['a.txt']);
});

it('tells errors with their codes', async () => {
  const failure = client.request(AnswerQuestionDocument, { question: QUESTION });
  const error = await failure.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({
    response: { status: 200, errors: [{ extensions: { code: 'DATASET_AND_QUESTION_REQUIRED' } }] },
  });
});

it('learns of a batch that one request carries one operation', async () => {
  const batch = client.batchRequests([{ document: FilesDocument }, { document: FilesDocument }]);
  await expect(batch).rejects.toThrow('Batches are not answered');
});
