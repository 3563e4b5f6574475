import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  AnswerQuestionDocument,
  FileDocument,
  SearchDocument,
  ViewerDocument,
} from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let me: Client;
let anonymous: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '1000');
  anonymous = createClient(gateway);
  await me.upload('docs', { 'a.txt': 'Apples.' });
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const FIELDS: [root: string, field: string, code: string, message: string][] = [
  ['query', 'viewer { credits }', 'MISSING_CREDENTIAL', 'Missing API key or token'],
  ['query', 'datasets { nodes { id } }', 'MISSING_CREDENTIAL', 'Missing API key or token'],
  ['query', 'files { nodes { id } }', 'MISSING_CREDENTIAL', 'Missing API key or token'],
  ['query', 'file(fileId: "x") { id }', 'MISSING_CREDENTIAL', 'Missing API key or token'],
  ['query', 'node(id: "x") { id }', 'MISSING_CREDENTIAL', 'Missing API key or token'],
  [
    'query',
    'search(input: { question: "x" }) { score }',
    'MISSING_CREDENTIAL',
    'Missing API key or token',
  ],
  [
    'mutation',
    'answerQuestion(input: { question: "x" }) { result }',
    'MISSING_CREDENTIAL',
    'Missing API key or token',
  ],
  [
    'mutation',
    'deleteFile(input: { fileId: "x" }) { fileId }',
    'MISSING_CREDENTIAL',
    'Missing API key or token',
  ],
  [
    'mutation',
    'purgeDataset(input: { datasetId: "docs" }) { deleted }',
    'MISSING_CREDENTIAL',
    'Missing API key or token',
  ],
  ['mutation', 'purgeCustomer(input: {}) { deleted }', 'MISSING_API_KEY', 'Missing API key'],
  [
    'query',
    'ingestion(ingestionId: "x") { status }',
    'MISSING_CREDENTIAL',
    'Missing API key or token',
  ],
  [
    'mutation',
    'revokeToken(input: { tokenId: "x" }) { tokenId }',
    'MISSING_API_KEY',
    'Missing API key',
  ],
  [
    'mutation',
    'createToken(input: { datasetId: "docs" }) { token }',
    'MISSING_API_KEY',
    'Missing API key',
  ],
];

describe('without a credential', () => {
  it.each(FIELDS)('%s %s is an error of the field: %s', async (root, field, code, message) => {
    const { status, errors, headers } = await anonymous.graphql(`${root} { ${field} }`);
    expect(status).toBe(200);
    expect(errors).toEqual([
      {
        message,
        path: [/^\w+/.exec(field)?.[0]],
        locations: [expect.anything()],
        extensions: { code, requestId: headers.get('x-request-id') },
      },
    ]);
  });

  it('every field of the schema that reads or changes something is in that table', async () => {
    const { data } = await anonymous.graphql(
      '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
    );
    const { queryType, mutationType } = data.__schema;
    const named = [...queryType.fields, ...mutationType.fields].map(({ name }) => name);
    const tried = FIELDS.map(([, field]) => /^\w+/.exec(field)?.[0]);
    // Uploads are requests of another kind; they are tried with the uploads.
    expect([...tried, 'startUpload', 'uploadFiles'].sort()).toEqual(named.sort());
  });

  it('no field of a query takes the others with it', async () => {
    const fields = FIELDS.filter(([root]) => root === 'query').map(([, field]) => field);
    const { status, data } = await anonymous.graphql(`{ __typename ${fields.join(' ')} }`);
    expect(status).toBe(200);
    const nulls = fields.map((field) => [/^\w+/.exec(field)?.[0], null]);
    expect(data).toEqual({ __typename: 'Query', ...Object.fromEntries(nulls) });
  });
});

describe('a filter is refused', () => {
  it.each([
    ['that matches nothing', '{}', /exactly one/i],
    ['that matches null', '{ value: null }', /must be non-null|exactly one/i],
    ['by a list', '{ value: [1] }', /must be a string, a number or a boolean/],
    ['by an object', '{ value: { a: 1 } }', /must be a string, a number or a boolean/],
    ['by two kinds of match', '{ value: 1, any: [1] }', /exactly one/i],
  ])('%s', async (_, match, reason) => {
    const { errors } = await me.graphql(
      `{ search(input: { datasetId: "docs", question: "?", filters: [{ key: "a", match: ${match} }] })
         { score } }`,
    );
    expect(errors.map(({ message }) => message)).toContainEqual(expect.stringMatching(reason));
  });
});

it('a purge of another customer than that of the key deletes nothing', async () => {
  const { errors } = await me.graphql(
    'mutation { purgeCustomer(input: { customerId: "another" }) { deleted } }',
  );
  const reason = 'customerId is not that of the API key';
  expect(errors).toMatchObject([{ message: reason, extensions: { code: 'INVALID_INPUT' } }]);
  const { data } = await me.graphql('{ files(datasetId: "docs") { totalCount } }');
  expect(data.files.totalCount).toBe(1);
});

it('a mutation that worked stays so when the dataset in its payload cannot be read', async () => {
  const { body } = await me.upload('odd', { 'a.txt': 'Apples.' });
  faults.fail('sql:FROM dataset WHERE');
  const { data, errors } = await me.graphql(
    `mutation { deleteFile(input: { datasetId: "odd", fileId: "${body.files[0].fileId.toUpperCase()}" })
       { fileId dataset { id } } }`,
  );
  expect(data.deleteFile).toEqual({ fileId: body.files[0].fileId, dataset: null });
  expect(errors).toMatchObject([{ path: ['deleteFile', 'dataset'] }]);
});

describe('a bad credential', () => {
  it.each([
    ['unknown key', `fq_${'x'.repeat(43)}`],
    ['malformed token', 'a.b.c'],
    [
      'token without a signature',
      `${btoa('{"alg":"none"}')}.${btoa('{"customerId":"x","datasetId":"docs","exp":9999999999}')}.`,
    ],
  ])('refuses the whole request with 401: %s', async (_, credential) => {
    const { status, body, headers } = await createClient(gateway, credential).graphql(
      '{ __typename }',
    );
    expect(status).toBe(401);
    expect(headers.get('x-error-code')).toBe('INVALID_CREDENTIAL');
    expect(body).toEqual({
      errors: [
        {
          message: 'Invalid API key or token',
          extensions: { code: 'INVALID_CREDENTIAL', requestId: headers.get('x-request-id') },
        },
      ],
    });
  });

  it('refuses the whole request with 401: a revoked key, and nothing is done', async () => {
    const customer = await newCustomer(gateway);
    await customer.upload('docs', { 'a.txt': 'Apples.' });
    const { apiKey, keyId } = await gateway.admin.createKey(customer.customerId);
    await gateway.admin.revokeKey(keyId);
    const revoked = createClient(gateway, apiKey);
    expect(
      (await revoked.graphql('mutation { purgeCustomer(input: {}) { deleted } }')).status,
    ).toBe(401);
    const { body } = await customer.rest('GET', '/files?datasetId=docs');
    expect(body.files).toHaveLength(1);
  });
});

describe('an error has the code of its row, and the details of the case', () => {
  it('INSUFFICIENT_CREDITS: required and available', async () => {
    const poor = await newCustomer(gateway, '0.05');
    const { status, errors } = await poor.graphql(SearchDocument, {
      datasetId: 'docs',
      question: 'What?',
    });
    expect(status).toBe(200);
    expect(errors).toMatchObject([
      {
        message: 'INSUFFICIENT_CREDITS',
        path: ['search'],
        extensions: { code: 'INSUFFICIENT_CREDITS', required: 0.1, available: 0.05 },
      },
    ]);
  });

  it('RATE_LIMITED: retryAfterSeconds', async () => {
    const { customerId, ...busy } = await newCustomer(gateway);
    for (let call = 0; call < 10; call++) await busy.rest('DELETE', '/files');
    const { status, errors } = await busy.graphql(
      'mutation { purgeCustomer(input: {}) { deleted } }',
    );
    expect(status).toBe(200);
    const [error] = errors;
    expect(error).toMatchObject({
      message: 'Rate limit exceeded',
      extensions: { code: 'RATE_LIMITED' },
    });
    expect(error?.extensions['retryAfterSeconds']).toBeGreaterThan(0);
    expect(error?.extensions['retryAfterSeconds']).toBeLessThanOrEqual(60);
  });

  it('of a failure of ours: INTERNAL, the request id, and nothing else', async () => {
    faults.fail('index.search');
    const requestId = 'a-request-of-mine';
    const body = {
      query: '{ search(input: { datasetId: "docs", question: "What?" }) { score } }',
    };
    const response = await me.raw('POST', '/graphql', body, {
      headers: { 'x-request-id': requestId, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toBe(requestId);
    expect((await response.json()).errors).toEqual([
      {
        message: 'Internal error',
        path: ['search'],
        locations: [expect.anything()],
        extensions: { code: 'INTERNAL', requestId },
      },
    ]);
  });

  it('a failure of ours before the answer costs nothing', async () => {
    const customer = await newCustomer(gateway, '1');
    await customer.upload('docs', { 'a.txt': 'Apples.' });
    await gateway.admin.grantCredits(customer.customerId, '1');
    const asked = { datasetId: 'docs', question: 'What?' };
    faults.answerWith(() => {
      throw new Error('broken on purpose');
    });
    const { errors } = await customer.graphql(AnswerQuestionDocument, asked);
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
    expect((await customer.graphql(ViewerDocument)).data.viewer?.credits).toBe('1');
  });

  it('a file that is not there is null and no error', async () => {
    for (const fileId of ['00000000-0000-0000-0000-000000000000', 'no id at all', '']) {
      const { body } = await me.graphql(FileDocument, { datasetId: 'docs', fileId });
      expect(body).toEqual({ data: { file: null } });
    }
  });

  it('a file that is deleted while the list is read has no URL; the others have theirs', async () => {
    const { body } = await me.upload('going', { 'a.txt': 'Apples.', 'b.txt': 'Pears.' });
    const [{ fileId }] = body.files;
    faults.before('storage.signUrls', () => me.rest('DELETE', `/files/${fileId}?datasetId=going`));
    const { data, errors } = await me.graphql(
      '{ files(datasetId: "going") { nodes { fileId permanentUrl } } }',
    );
    expect(errors).toEqual([]);
    expect(data.files.nodes).toHaveLength(2);
    for (const file of data.files.nodes) {
      expect(file.permanentUrl).toEqual(file.fileId === fileId ? null : expect.any(String));
    }
  });
});

describe('a mistake in the request has a code too', () => {
  it.each([
    ['a field that is not there', '{ walrus }', 'GRAPHQL_VALIDATION_FAILED'],
    ['no GraphQL', '{ walrus', 'GRAPHQL_PARSE_FAILED'],
    ['a variable that is not given', 'query ($id: ID!) { node(id: $id) { id } }', 'INVALID_INPUT'],
  ])('%s', async (_, document, code) => {
    const { errors, headers } = await me.graphql(document);
    expect(errors).toMatchObject([{ extensions: { code } }]);
    expect(headers.get('x-error-code')).toBe(code);
  });

  it.each([
    [
      'variables that are no object',
      { query: '{ viewer { credits } }', variables: 'x' },
      'BAD_REQUEST',
    ],
    [
      'an operation that is not there',
      { query: 'query A { viewer { credits } }', operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
  ])('%s: 400, with the code in the header', async (_, body, code) => {
    const response = await me.raw('POST', '/graphql', body);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-error-code')).toBe(code);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  });

  it('of one field only has no code in the header', async () => {
    const { headers, errors } = await createClient(gateway).graphql('{ viewer { credits } }');
    expect(errors).toMatchObject([{ extensions: { code: 'MISSING_CREDENTIAL' } }]);
    expect(headers.get('x-error-code')).toBeNull();
  });

  it.each([
    ['with 200 where clients expect it', 'application/json', 200],
    ['with 400 where clients ask for it', 'application/graphql-response+json', 400],
  ])('%s', async (_, accept, status) => {
    const headers = { accept, 'content-type': 'application/json' };
    const response = await me.raw('POST', '/graphql', { query: '{ walrus }' }, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain(accept);
  });
});
