import { validate } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as documents from '../../src/generated/graphql.ts';
import { schema } from '../../src/graphql/schema/index.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { answerOf, askOverSse, uploadOverGraphql } from '../support/graphql.ts';

const CAPITAL = 'The capital of Andorra is Andorra la Vella.';
const NOWHERE = Object.fromEntries(
  'page slide sheet row line heading startTime endTime'.split(' ').map((name) => [name, null]),
);
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterAll(() => gateway.close());

it.each(Object.entries(documents))('%s is valid', (_, document) => {
  expect(validate(schema, document)).toEqual([]);
});

/** What each operation of schema/operations does; the type proves that none is missing, but one with tests of its own. */
const operations: Record<
  Exclude<
    keyof typeof documents,
    | 'DatasetChangedDocument'
    | 'StartUploadDocument'
    | 'IngestionDocument'
    | 'IngestionChangedDocument'
  >,
  () => Promise<void>
> = {
  async ViewerDocument() {
    const { me } = await furnish();
    const { data, errors } = await me.graphql(documents.ViewerDocument);
    expect(errors).toEqual([]);
    expect(data.viewer).toMatchObject({
      customerId: me.customerId,
      customerName: 'test',
      credential: 'API_KEY',
      datasetId: null,
      credits: '9',
    });
    expect(data.viewer?.rateLimits).toContainEqual({
      name: 'UPLOAD',
      limit: 100,
      remaining: 99,
      resetSeconds: expect.any(Number),
    });
  },

  async DatasetsDocument() {
    const { me } = await furnish();
    await me.upload('archive', { 'old.txt': 'Long ago.', 'older.txt': 'Longer ago.' });
    const { data } = await me.graphql(documents.DatasetsDocument, { first: 10 });
    const createdAt = expect.stringMatching(ISO_TIME);
    const embeddingModel = expect.stringContaining('lexical');
    expect(data.datasets).toEqual({
      totalCount: 2,
      nodes: [
        { id: expect.any(String), datasetId: 'archive', fileCount: 2, embeddingModel, createdAt },
        { id: expect.any(String), datasetId: 'docs', fileCount: 1, embeddingModel, createdAt },
      ],
      pageInfo: expect.objectContaining({ hasNextPage: false, endCursor: expect.any(String) }),
    });
  },

  async FilesDocument() {
    const { me, fileId } = await furnish();
    const { data } = await me.graphql(documents.FilesDocument, { datasetId: 'docs' });
    expect(data.files?.totalCount).toBe(1);
    expect(data.files?.nodes).toEqual([
      {
        id: expect.any(String),
        fileId,
        originalName: 'capitals.txt',
        mimeType: 'text/plain',
        size: CAPITAL.length,
        createdAt: expect.stringMatching(ISO_TIME),
        extraMeta: { kind: 'geography' },
      },
    ]);
  },

  async FileDocument() {
    const { me, fileId } = await furnish();
    const { data } = await me.graphql(documents.FileDocument, { datasetId: 'docs', fileId });
    const { body } = await me.rest('GET', `/files/${fileId}?datasetId=docs`);
    const { created, ...file } = body.file;
    expect(data.file).toEqual({ id: expect.any(String), createdAt: created, ...file });
  },

  async NodeDocument() {
    const { me, id, fileId } = await furnish();
    const { data } = await me.graphql(documents.NodeDocument, { id });
    expect(data.node).toEqual({ id, fileId, originalName: 'capitals.txt' });
  },

  async SearchDocument() {
    const { me, id, fileId } = await furnish();
    const question = 'capital of Andorra';
    const filters = [{ key: 'kind', match: { value: 'geography' } }];
    const { data } = await me.graphql(documents.SearchDocument, {
      datasetId: 'docs',
      question,
      filters,
      limit: 3,
    });
    expect(data.search).toEqual([
      {
        score: expect.closeTo(0.5, 0),
        fileId,
        originalName: 'capitals.txt',
        pageContent: CAPITAL,
        location: { ...NOWHERE, line: 1 },
        metadata: expect.objectContaining({ fileId, datasetId: 'docs', kind: 'geography' }),
        file: { id, permanentUrl: expect.stringContaining('/storage/') },
      },
    ]);
    expect(await creditsOf(me)).toBe('8.9');
  },

  async AskQuestionDocument() {
    const { me } = await furnish();
    const question = 'What is the capital of Andorra?';
    const { status, events } = await askOverSse(me, { datasetId: 'docs', question });
    expect(status).toBe(200);
    expect(events.at(0)?.data.data?.askQuestion).toEqual({
      sources: [{ score: expect.any(Number), originalName: 'capitals.txt' }],
    });
    const result = answerOf(events);
    expect(result).toContain('Andorra la Vella');
    expect(events.at(-2)?.data.data?.askQuestion).toEqual({ result });
    expect(events.at(-1)?.event).toBe('complete');
    expect(await creditsOf(me)).toBe('8.9');
  },

  async AnswerQuestionDocument() {
    const { me, fileId } = await furnish();
    const { data } = await me.graphql(documents.AnswerQuestionDocument, {
      datasetId: 'docs',
      question: 'What is the capital of Andorra?',
    });
    expect(data.answerQuestion.result).toContain('Andorra la Vella');
    expect(data.answerQuestion.sources).toEqual([
      {
        score: expect.any(Number),
        originalName: 'capitals.txt',
        pageContent: CAPITAL,
        metadata: expect.objectContaining({ fileId }),
      },
    ]);
    const { result, citations } = data.answerQuestion;
    const hit = { originalName: 'capitals.txt', pageContent: CAPITAL };
    expect(citations).toMatchObject([{ supported: true, hit }]);
    expect(citations.map(({ start, end }) => result.slice(start, end))).toEqual([`"${CAPITAL}"`]);
    expect(await creditsOf(me)).toBe('8.9');
  },

  async CreateTokenDocument() {
    const { me } = await furnish();
    const { data } = await me.graphql(documents.CreateTokenDocument, {
      tokenDatasetId: 'docs',
      ttlSeconds: 60,
    });
    const { expiresIn, expiresAt } = data.createToken;
    expect(expiresIn).toBe(60);
    expect(expiresAt).toMatch(ISO_TIME);
    expect((Date.parse(expiresAt) - Date.now()) / 1000).toBeCloseTo(60, -1);
    const bearer = createClient(gateway, data.createToken.token);
    const { data: seen } = await bearer.graphql(documents.ViewerDocument);
    expect(seen.viewer).toMatchObject({ credential: 'TOKEN', datasetId: 'docs' });
  },

  async RevokeTokenDocument() {
    const { me } = await furnish();
    const { data: made } = await me.graphql(documents.CreateTokenDocument, {
      tokenDatasetId: 'docs',
    });
    const { token, tokenId } = made.createToken;
    const { data } = await me.graphql(documents.RevokeTokenDocument, { tokenId });
    expect(data.revokeToken).toEqual({ tokenId });
    expect((await createClient(gateway, token).rest('GET', '/files')).status).toBe(401);
  },

  async UploadFilesDocument() {
    const { me } = await furnish();
    const { data, errors } = await uploadOverGraphql(
      me,
      'docs',
      { 'a.txt': 'Apples are red.', 'b.txt': 'Bananas are yellow.' },
      { metadata: { 'b.txt': { fruit: true } }, chunkSize: 50, chunkOverlap: 5 },
    );
    expect(errors).toEqual([]);
    expect(data.uploadFiles).toMatchObject({
      files: [
        { originalName: 'a.txt', extraMeta: null },
        { originalName: 'b.txt', extraMeta: { fruit: true } },
      ],
      dataset: { fileCount: 3 },
      billed: { fileCount: 2, uploadUnits: '2' },
    });
    expect(await creditsOf(me)).toBe('7');
  },

  async DeleteFileDocument() {
    const { me, id, fileId } = await furnish();
    const input = { datasetId: 'docs', fileId };
    const { data } = await me.graphql(documents.DeleteFileDocument, input);
    expect(data.deleteFile).toEqual({ deletedFileId: id, fileId, dataset: await docsOf(me) });
    expect(await fileCount(me)).toBe(0);
  },

  async PurgeDatasetDocument() {
    const { me } = await furnish();
    await me.upload('other', { 'stays.txt': 'I stay.' });
    const { data } = await me.graphql(documents.PurgeDatasetDocument, { purgeDatasetId: 'docs' });
    expect(data.purgeDataset).toEqual({ deleted: 1, dataset: await docsOf(me) });
    expect(await fileCount(me)).toBe(0);
    expect(await fileCount(me, 'other')).toBe(1);
  },

  async OverviewDocument() {
    const { me, id } = await furnish();
    await me.upload('archive', { 'old.txt': 'Long ago.', 'older.txt': 'Longer ago.' });
    const { data } = await me.graphql(documents.OverviewDocument, { first: 10, newest: 1 });
    const createdAt = expect.stringMatching(ISO_TIME);
    const docs = { id, originalName: 'capitals.txt', createdAt };
    expect(data.viewer).toMatchObject({
      credits: '7',
      datasets: {
        totalCount: 2,
        nodes: [
          { datasetId: 'archive', fileCount: 2, files: { nodes: [{ createdAt }] } },
          { datasetId: 'docs', fileCount: 1, files: { nodes: [docs] } },
        ],
      },
    });
  },

  async FileChunksDocument() {
    const { me, id, fileId } = await furnish();
    const asked = { datasetId: 'docs', fileId };
    const { data } = await me.graphql(documents.FileChunksDocument, asked);
    expect(data.file).toMatchObject({
      id,
      dataset: { embeddingModel: expect.stringContaining('lexical') },
      chunks: {
        totalCount: 1,
        nodes: [
          { content: CAPITAL, position: 0, location: { page: null, line: 1, heading: null } },
        ],
        pageInfo: { hasNextPage: false },
      },
    });
  },

  async PurgeCustomerDocument() {
    const { me } = await furnish();
    await me.upload('other', { 'goes.txt': 'I go too.' });
    const { data } = await me.graphql(documents.PurgeCustomerDocument, {
      purgeCustomerId: me.customerId,
    });
    expect(data.purgeCustomer).toEqual({ deleted: 2 });
    expect(await fileCount(me, 'other')).toBe(0);
  },
};

it.each(Object.entries(operations))('%s does what it says', (_, operation) => operation());

/** A customer of ten credits with a file in `docs`, which cost one of them. */
async function furnish() {
  const me = await newCustomer(gateway, '10');
  const { data } = await uploadOverGraphql(
    me,
    'docs',
    { 'capitals.txt': CAPITAL },
    { metadata: { 0: { kind: 'geography' } } },
  );
  const [file] = data.uploadFiles.files;
  if (!file) throw new Error('nothing was uploaded');
  return { me, id: file.id, fileId: file.fileId };
}

/** The empty dataset, as a mutation tells of it. */
async function docsOf(client: Client) {
  const { data } = await client.graphql(documents.DatasetsDocument, { first: 1 });
  return { id: data.datasets?.nodes[0]?.id, fileCount: 0 };
}

async function creditsOf(client: Client): Promise<string | null | undefined> {
  const { data } = await client.graphql(documents.ViewerDocument);
  return data.viewer?.credits;
}

async function fileCount(client: Client, datasetId = 'docs'): Promise<number | undefined> {
  const { data } = await client.graphql(documents.FilesDocument, { datasetId });
  return data.files?.totalCount;
}
