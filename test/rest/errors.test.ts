import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Callers, createCallers } from '../support/callers.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { type Refusal, refuses } from '../support/refusals.ts';

/* Section 7 of the contract, and what it leaves out about credentials. */

let gateway: TestGateway;
let callers: Callers;
const all = () => callers;

beforeAll(async () => {
  gateway = await shareGateway();
  callers = await createCallers(gateway);
});
afterAll(() => gateway.close());

const NOBODYS = '00000000-0000-4000-8000-000000000000';
const inQuery = 'datasetId is required via token or query parameter';
const inBody = 'datasetId is required via token, body or query';
const andQuestion = 'datasetId and question are required';
const form = (fields: Record<string, string | File>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};
const aFile = new File(['The fox is quick.'], 'fox.txt');

describe('no dataset (400)', () => {
  const row = { status: 400, as: 'key', what: 'without datasetId' } as const;
  refuses(all, [
    { ...row, method: 'GET', path: '/files', error: inQuery },
    { ...row, method: 'GET', path: '/files?datasetId=', what: 'that is empty', error: inQuery },
    { ...row, method: 'GET', path: '/files?limit=1', error: inQuery },
    { ...row, method: 'GET', path: '/files/{file}', error: inQuery },
    { ...row, method: 'DELETE', path: '/files/{file}', error: inBody },
    { ...row, method: 'DELETE', path: '/files/{file}', body: {}, error: inBody },
    {
      ...row,
      method: 'DELETE',
      path: '/files/{file}?datasetId=',
      what: 'that is empty in body and query',
      body: { datasetId: '' },
      error: inBody,
    },
    { ...row, method: 'DELETE', path: '/datasets//files', error: 'datasetId is required' },
    {
      ...row,
      method: 'DELETE',
      path: '/datasets//files',
      what: 'without datasetId, with a token',
      as: 'token',
      error: 'datasetId is required',
    },
    {
      ...row,
      method: 'POST',
      path: '/files/upload',
      body: form({ file: aFile }),
      error: 'datasetId is required',
    },
    { ...row, method: 'POST', path: '/tokens/create', body: {}, error: 'datasetId is required' },
  ]);
});

describe.each(['/query', '/search'])('no question or no dataset in POST /v1%s (400)', (path) => {
  const row = { status: 400, method: 'POST', path, as: 'key', error: andQuestion } as const;
  refuses(all, [
    { ...row, what: 'without both', body: {} },
    { ...row, what: 'without datasetId', body: { question: 'Is the fox quick?' } },
    { ...row, what: 'without question', body: { datasetId: 'docs' } },
    { ...row, what: 'with an empty datasetId', body: { datasetId: '', question: 'Quick?' } },
    { ...row, what: 'with an empty question', body: { datasetId: 'docs', question: '' } },
    { ...row, what: 'with a blank question', body: { datasetId: 'docs', question: ' \n' } },
    { ...row, what: 'with null for both', body: { datasetId: null, question: null } },
    { ...row, what: 'without question, with a token', as: 'token', body: {} },
    {
      ...row,
      what: 'without question, with a wrong stream',
      body: { datasetId: 'docs', stream: 1 },
    },
    {
      ...row,
      what: 'without datasetId, with a wrong stream',
      body: { question: 'Quick?', stream: 1 },
    },
  ]);
});

describe('a dataset that is not the token’s (400 and 403)', () => {
  const row = { status: 403, as: 'token', what: 'of another dataset' } as const;
  const second = { ...row, what: 'of another dataset, too' } as const;
  const invalid = { ...row, what: 'with an id that no dataset can have' } as const;
  const inRequest = 'datasetId mismatch between token and request';
  const inPath = 'datasetId mismatch between token and path';
  const query = 'datasetId mismatch between token and query';
  const body = { datasetId: 'others', question: 'Is the fox quick?' };
  refuses(all, [
    { ...row, status: 400, method: 'POST', path: '/query', body, error: inRequest },
    { ...row, status: 400, method: 'POST', path: '/search', body, error: inRequest },
    {
      ...row,
      status: 400,
      method: 'POST',
      path: '/query',
      what: 'of another dataset, with a wrong stream',
      body: { ...body, stream: 1 },
      error: inRequest,
    },
    { ...row, method: 'GET', path: '/files?datasetId=others', error: query },
    { ...row, method: 'GET', path: '/files?datasetId=others&limit=1', error: query },
    { ...row, method: 'GET', path: '/files/{file}?datasetId=others', error: query },
    { ...row, method: 'GET', path: '/files/none?datasetId=others', error: query },
    { ...row, method: 'DELETE', path: '/files/{file}?datasetId=others', error: inPath },
    { ...second, method: 'GET', path: '/files?datasetId=docs&datasetId=others', error: query },
    { ...second, method: 'GET', path: '/files/{file}?datasetId=&datasetId=others', error: query },
    {
      ...second,
      method: 'DELETE',
      path: '/files/{file}?datasetId=docs&datasetId=others',
      error: inPath,
    },
    {
      ...second,
      method: 'POST',
      path: '/files/upload?datasetId=docs&datasetId=others',
      body: form({ file: aFile }),
      error: 'datasetId mismatch between token and body',
    },
    {
      ...row,
      method: 'DELETE',
      path: '/files/{file}',
      what: 'of another dataset in the body',
      body: { datasetId: 'others' },
      error: inPath,
    },
    ...[
      ['docs', 'others'],
      ['others', 'docs'],
    ].map(([inQuery, datasetId]) => ({
      ...row,
      method: 'DELETE',
      path: `/files/{file}?datasetId=${inQuery}`,
      what: `of ${datasetId} in the body and of ${inQuery} in the query`,
      body: { datasetId },
      error: inPath,
    })),
    { ...row, method: 'DELETE', path: '/datasets/others/files', error: inPath },
    ...['long'.repeat(26), '%00'].flatMap((datasetId) => [
      { ...invalid, method: 'GET', path: `/files?datasetId=${datasetId}`, error: query },
      { ...invalid, method: 'GET', path: `/files/{file}?datasetId=${datasetId}`, error: query },
      { ...invalid, method: 'DELETE', path: `/files/{file}?datasetId=${datasetId}`, error: inPath },
      { ...invalid, method: 'DELETE', path: `/datasets/${datasetId}/files`, error: inPath },
      {
        ...invalid,
        method: 'POST',
        path: `/files/upload?datasetId=${datasetId}`,
        body: form({ file: aFile }),
        error: 'datasetId mismatch between token and body',
      },
    ]),
    ...['long'.repeat(26), '..', 5].flatMap((datasetId) => [
      {
        ...invalid,
        status: 400,
        method: 'POST',
        path: '/query',
        body: { ...body, datasetId },
        error: inRequest,
      },
      { ...invalid, method: 'DELETE', path: '/files/{file}', body: { datasetId }, error: inPath },
    ]),
    { ...row, method: 'DELETE', path: '/datasets/Docs/files', what: 'in capitals', error: inPath },
    {
      ...row,
      method: 'POST',
      path: '/files/upload',
      body: form({ datasetId: 'others', file: aFile }),
      error: 'datasetId mismatch between token and body',
    },
  ]);
});

const ROUTES = [
  { method: 'GET', path: '/files?datasetId=docs', missing: 'Missing API key or token' },
  { method: 'GET', path: '/files/{file}?datasetId=docs', missing: 'Missing API key or token' },
  { method: 'DELETE', path: '/files/{file}?datasetId=docs', missing: 'Missing API key or token' },
  { method: 'DELETE', path: '/datasets/docs/files', missing: 'Missing API key or token' },
  { method: 'DELETE', path: '/files', missing: 'Missing API key' },
  { method: 'POST', path: '/query', missing: 'Missing API key or token' },
  { method: 'POST', path: '/search', missing: 'Missing API key or token' },
  { method: 'POST', path: '/files/upload', missing: 'Missing API key or token' },
  { method: 'POST', path: '/tokens/create', missing: 'Missing API key' },
];

describe('no credential, or none of ours (401)', () => {
  refuses(
    all,
    ROUTES.flatMap(({ method, path, missing }): Refusal[] => {
      const row = { status: 401, method, path };
      const invalid = 'Invalid API key or token';
      return [
        { ...row, as: 'nobody', what: 'without a credential', error: missing },
        { ...row, as: 'unknown key', what: 'with an unknown key', error: invalid },
        { ...row, as: 'revoked key', what: 'with a revoked key', error: invalid },
      ];
    }),
  );
  const row = { status: 401, as: 'token', what: 'with a token', error: 'Missing API key' } as const;
  refuses(all, [
    { ...row, method: 'DELETE', path: '/files' },
    { ...row, method: 'POST', path: '/tokens/create', body: { datasetId: 'docs' } },
  ]);

  test.each([
    ['Bearer', 'Missing API key or token'],
    ['Bearer   ', 'Missing API key or token'],
    ['Basic Zm94OmZveA==', 'Missing API key or token'],
    ['Bearer a.b.c', 'Invalid API key or token'],
    ['Bearer ..', 'Invalid API key or token'],
    ['Bearer two words', 'Invalid API key or token'],
  ])('401 GET /v1/files with Authorization: %s: %s', async (authorization, error) => {
    const headers = { authorization };
    const response = await callers.clients.nobody.raw(
      'GET',
      '/v1/files?datasetId=docs',
      undefined,
      {
        headers,
      },
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toStrictEqual({ error });
  });

  test.each([
    [200, {}],
    [200, { authorization: 'Basic Zm94OmZveA==' }],
    [401, { authorization: 'Bearer nobody' }],
  ])('%i GET /v1/files with x-easyrag-key and %j', async (status, others) => {
    const headers = { ...others, 'x-easyrag-key': callers.clients.key.credential ?? '' };
    const path = '/v1/files?datasetId=docs';
    const response = await callers.clients.nobody.raw('GET', path, undefined, { headers });
    expect(response.status).toBe(status);
  });

  test('200 GET /v1/files with Authorization: bearer in small letters', async () => {
    const headers = { authorization: `bearer  ${callers.clients.key.credential} ` };
    const response = await callers.clients.nobody.raw(
      'GET',
      '/v1/files?datasetId=docs',
      undefined,
      {
        headers,
      },
    );
    expect(response.status).toBe(200);
  });
});

describe('a file that is not there, and one that is hidden, look the same (404)', () => {
  const row = { status: 404, as: 'key', error: 'File not found' } as const;
  refuses(
    all,
    ['GET', 'DELETE'].flatMap((method): Refusal[] => [
      { ...row, method, path: `/files/${NOBODYS}?datasetId=docs`, what: 'of nobody' },
      { ...row, method, path: '/files/fox?datasetId=docs', what: 'that is no UUID' },
      { ...row, method, path: '/files/%00?datasetId=docs', what: 'that is no text' },
      { ...row, method, path: '/files/{file}?datasetId=others', what: 'in another dataset' },
      {
        ...row,
        method,
        path: '/files/{file}?datasetId=docs',
        what: 'of another customer',
        as: 'other customer',
      },
      { ...row, method, path: `/files/${NOBODYS}`, what: 'with a token', as: 'token' },
    ]),
  );

  test('200 GET /v1/files/:fileId still there after all that', async () => {
    const { clients, fileId } = callers;
    const { status } = await clients.key.rest('GET', `/files/${fileId}?datasetId=docs`);
    expect(status).toBe(200);
  });
});

describe('a failure of the gateway tells nothing of itself (500)', () => {
  const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
  const row = { status: 500, as: 'key', error: 'Internal error', method: 'POST' } as const;
  const list = { ...row, method: 'GET', path: '/files?datasetId=docs' };
  describe.each(['embeddings.embedQuestion', 'index.search'])('when %s fails', (call) => {
    beforeEach(() => faults.fail(call));
    afterEach(() => faults.mend());
    refuses(all, [
      { ...row, path: '/query', what: 'as a stream', body: asked },
      { ...row, path: '/query', what: 'in one piece', body: { ...asked, stream: false } },
      { ...row, path: '/search', what: 'at all', body: asked },
    ]);
  });
  describe('when the database fails', () => {
    beforeEach(() => faults.fail('sql.query'));
    afterEach(() => faults.mend());
    refuses(all, [
      { ...list, what: 'whole' },
      { ...list, path: '/files?datasetId=docs&limit=1', what: 'by pages' },
    ]);
  });
});
