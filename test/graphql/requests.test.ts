import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { endless, send, streamed } from '../support/requests.ts';

let gateway: TestGateway;
let me: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '1000');
});
afterAll(() => gateway.close());

describe('GET', () => {
  it('answers a query', async () => {
    const response = await get('{ viewer { customerName } }');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { viewer: { customerName: 'test' } } });
  });

  it('does not change anything', async () => {
    await me.upload('docs', { 'a.txt': 'Apples.' });
    const response = await get('mutation { purgeCustomer(input: {}) { deleted } }');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    const { body } = await me.rest('GET', '/files?datasetId=docs');
    expect(body.files).toHaveLength(1);
  });

  function get(query: string): Promise<Response> {
    return me.raw('GET', `/graphql?${new URLSearchParams({ query })}`);
  }
});

describe('refuses', () => {
  it('documents of more than 5000 tokens', async () => {
    // An alias is three tokens, and the braces are two.
    const fields = Array.from({ length: 1666 }, (_, at) => `a${at}: __typename`).join(' ');
    expect(await me.graphql(`{ ${fields} }`)).toMatchObject({ status: 200, errors: [] });
    const { errors } = await me.graphql(`{ ${fields} __typename }`);
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('more than 5000 tokens'),
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    ]);
  });

  it.each([
    ['a body of more than a MiB', 413, 'BODY_TOO_LARGE', 'Request body too large'],
    ['no JSON', 400, 'INVALID_JSON', 'Invalid JSON body'],
  ])('%s: %i', async (what, status, code, message) => {
    const bodies: Record<string, string> = {
      'a body of more than a MiB': bodyOf(1024 ** 2 + 1),
      'no JSON': '{ viewer { credits } }',
    };
    const response = await me.raw('POST', '/graphql', bodies[what]);
    const requestId = response.headers.get('x-request-id');
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      errors: [{ message, extensions: { code, requestId } }],
    });
  });

  it('a batch, and says what to do instead', async () => {
    const response = await me.raw('POST', '/graphql', [{ query: '{ viewer { credits } }' }]);
    const message = 'Batches are not answered: send one operation in each request';
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message, extensions: { code: 'INVALID_INPUT' } }],
    });
  });

  it('a body of more than a MiB that does not say its length, before it is there whole', async () => {
    const { body, taken } = endless();
    const headers = { 'content-type': 'application/json' };
    const response = await send(gateway, 'POST', '/graphql', { ...streamed(body), headers });
    expect(response.status).toBe(413);
    expect(taken()).toBeLessThan(2 * 1024 ** 2);
  });

  it.each(['application/x-www-form-urlencoded', 'application/graphql', 'text/plain'])(
    'a body of type %s: 415',
    async (type) => {
      const response = await me.raw('POST', '/graphql', '{ viewer { credits } }', {
        headers: { 'content-type': type },
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({
        errors: [
          {
            message: 'Content-Type must be application/json',
            extensions: { code: 'UNSUPPORTED_CONTENT_TYPE', expected: 'application/json' },
          },
        ],
      });
    },
  );

  it.each([
    ['image/png', 'mutation', 'application/json'],
    ['text/html,application/xml;q=0.9', 'mutation', 'application/json'],
    ['application/json;charset=latin1', 'mutation', 'application/json'],
    ['application/json', 'subscription', 'text/event-stream'],
    ['multipart/mixed', 'subscription', 'text/event-stream'],
  ])('Accept: %s for a %s before it is carried out: 406', async (accept, kind, expected) => {
    const customer = await newCustomer(gateway, '1');
    const query = {
      mutation:
        'mutation { answerQuestion(input: { datasetId: "docs", question: "?" }) { result } }',
      subscription:
        'subscription { askQuestion(input: { datasetId: "docs", question: "?" }) { __typename } }',
    }[kind];
    const headers = { accept, 'content-type': 'application/json' };
    const response = await customer.raw('POST', '/graphql', { query }, { headers });
    expect(response.status).toBe(406);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: `Accept must allow ${expected}`,
          extensions: { code: 'NOT_ACCEPTABLE', expected },
        },
      ],
    });
    expect((await customer.graphql(ViewerDocument)).data.viewer?.credits).toBe('1');
  });

  it('other methods: 405', async () => {
    expect((await me.raw('PUT', '/graphql', '{}')).status).toBe(405);
  });
});

it.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'text/*',
  'application/json; charset=utf-8',
  'application/graphql-response+json, application/json;q=0.9',
  'application/graphql-response+json,application/json;q=0.9,*/*;q=0.1',
  'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9',
  'multipart/mixed;deferSpec=20220824,application/json',
  'application/json, text/event-stream, multipart/mixed',
  'text/event-stream',
])('answers a client that sends Accept: %s', async (accept) => {
  const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
  const body = { query: '{ viewer { customerName } }' };
  const response = await me.raw('POST', '/graphql', body, { headers });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('{"data":{"viewer":{"customerName":"test"}}}');
});

it('an error has its JSON for a client that does not accept it', async () => {
  const stranger = createClient(gateway, 'fq_wrong');
  const headers = { accept: 'image/png', 'content-type': 'application/json' };
  const query = '{ viewer { credits } }';
  const response = await stranger.raw('POST', '/graphql', { query }, { headers });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    errors: [{ extensions: { code: 'INVALID_CREDENTIAL' } }],
  });
});

it('members of a request that are not of GraphQL over HTTP do no harm', async () => {
  const response = await me.raw('POST', '/graphql', {
    query: 'query Name { viewer { customerName } }',
    operationName: 'Name',
    operationType: 'query',
    extensions: { clientLibrary: { name: '@apollo/client', version: '4.3.8' } },
    id: null,
  });
  expect(await response.json()).toEqual({ data: { viewer: { customerName: 'test' } } });
});

it('takes a body of exactly a MiB', async () => {
  const response = await me.raw('POST', '/graphql', bodyOf(1024 ** 2));
  expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
});

it('twenty aliases of a field are charged and counted twenty times', async () => {
  const customer = await newCustomer(gateway, '2.5');
  const search = 'search(input: { datasetId: "docs", question: "What?" }) { score }';
  const aliases = Array.from({ length: 20 }, (_, at) => `a${at}: ${search}`);
  const { errors } = await customer.graphql(`{ ${aliases.join(' ')} }`);
  expect(errors).toEqual([]);
  const { data } = await customer.graphql(ViewerDocument);
  expect(data.viewer?.credits).toBe('0.5');
  const questions = data.viewer?.rateLimits.find(({ name }) => name === 'QUESTION');
  expect(questions?.remaining).toBe(1000 - 20);
});

it('aliases beyond the credits or the window fail, each by itself', async () => {
  const customer = await newCustomer(gateway, '0.3');
  const input = '{ datasetId: "docs", question: "What?" }';
  const answers = Array.from(
    { length: 5 },
    (_, at) => `a${at}: answerQuestion(input: ${input}) { result }`,
  );
  const { errors } = await customer.graphql(`mutation { ${answers.join(' ')} }`);
  expect(errors.map(({ path, extensions }) => [path, extensions['code']])).toEqual([
    [['a3'], 'INSUFFICIENT_CREDITS'],
  ]);
  const purges = Array.from(
    { length: 11 },
    (_, at) => `a${at}: purgeCustomer(input: {}) { deleted }`,
  );
  const limited = await customer.graphql(`mutation { ${purges.join(' ')} }`);
  expect(limited.errors).toMatchObject([{ path: ['a10'], extensions: { code: 'RATE_LIMITED' } }]);
});

it('answers browsers of any origin, and tells them the request id', async () => {
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const asked = await createClient(gateway).raw('OPTIONS', '/graphql', undefined, { headers });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe('*');
  expect(asked.headers.get('access-control-allow-headers')).toBe('authorization');
  const { headers: answered } = await me.graphql('{ __typename }');
  expect(answered.get('access-control-expose-headers')).toContain('X-Request-Id');
});

/** A request of so many bytes. */
function bodyOf(bytes: number): string {
  const body = JSON.stringify({ query: '{ __typename }' });
  return body.padEnd(bytes, ' ');
}
