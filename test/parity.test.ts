import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../src/core/errors.ts';
import { createClient } from './support/client.ts';
import { faults, shareGateway, type TestGateway } from './support/gateway.ts';
import { graphqlTransport } from './support/graphql-transport.ts';
import { type Act, actOnEach, setScene, type Who } from './support/parity.ts';
import { createRefusals } from './support/parity-refusals.ts';
import { restTransport } from './support/rest-transport.ts';
import { resultOf } from './support/transport.ts';

/* An operation has the same outcome, text and effects over every transport. */

const docs = { datasetId: 'docs' };
const question = 'What is the capital of Andorra?';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

describe('does the same:', () => {
  type Operation = [title: string, as: Who, act: Act, result: unknown];
  const operations: Operation[] = [
    [
      'list',
      'key',
      (transport, me) => transport.list(me, docs),
      [{ originalName: 'a.txt', size: 43 }],
    ],
    ['list', 'token', (transport, me) => transport.list(me, {}), [{ originalName: 'a.txt' }]],
    ['list of nothing', 'key', (transport, me) => transport.list(me, { datasetId: 'nowhere' }), []],
    [
      'page',
      'key',
      (transport, me) => transport.page(me, { ...docs, limit: 1 }),
      { files: [{ originalName: 'a.txt' }], nextCursor: null },
    ],
    [
      'get',
      'key',
      (transport, me, { fileId }) => transport.get(me, { ...docs, fileId }),
      { originalName: 'a.txt', permanentUrl: expect.stringContaining('/storage/') },
    ],
    [
      'get',
      'token',
      (transport, me, { fileId }) => transport.get(me, { fileId }),
      { datasetId: 'docs' },
    ],
    [
      'upload',
      'key',
      (transport, me) =>
        transport.upload(me, {
          ...docs,
          files: { 'b.md': '# Title\n\nText.', 'c.csv': 'a,b\n1,2\n' },
          metadata: { 'b.md': { year: 2026 }, 1: { tags: ['x'] } },
          chunkSize: 20,
          chunkOverlap: 5,
        }),
      {
        files: [{ extraMeta: { year: 2026 } }, { extraMeta: { tags: ['x'] } }],
        billed: { fileCount: 2, uploadUnits: 2 },
      },
    ],
    [
      'search',
      'key',
      (transport, me) => transport.search(me, { ...docs, question }),
      [{ score: expect.any(Number) }],
    ],
    ...['vector', 'keyword', 'hybrid'].map(
      (mode): Operation => [
        `search by ${mode}`,
        'key',
        (transport, me) => transport.search(me, { ...docs, question: 'capital of Andorra', mode }),
        [{ score: expect.any(Number), metadata: { originalName: 'a.txt' } }],
      ],
    ),
    [
      'search by keywords with words that no chunk has',
      'key',
      (transport, me) => transport.search(me, { ...docs, question: 'walrus', mode: 'keyword' }),
      [],
    ],
    [
      'search with filters',
      'token',
      (transport, me, { fileId }) =>
        transport.search(me, {
          question,
          limit: 1,
          filters: [{ key: 'fileId', match: { value: fileId } }],
        }),
      [{ metadata: { originalName: 'a.txt' } }],
    ],
    [
      'search with filters that nothing matches',
      'key',
      (transport, me) =>
        transport.search(me, {
          ...docs,
          question,
          filters: [{ key: 'year', match: { value: '2026' } }],
        }),
      [],
    ],
    [
      'answer',
      'key',
      (transport, me) => transport.answer(me, { ...docs, question }),
      { result: expect.stringContaining('Andorra la Vella'), sources: [{}] },
    ],
    [
      'answer from nothing',
      'key',
      (transport, me) => transport.answer(me, { datasetId: 'nowhere', question }),
      { sources: [] },
    ],
    [
      'stream',
      'token',
      (transport, me) => transport.stream(me, { question }),
      { deltas: expect.arrayContaining([expect.any(String)]), last: ['done'] },
    ],
    [
      'a stream that fails in the middle',
      'key',
      (transport, me) => {
        faults.answerWith(async function* () {
          yield 'Thirty characters and some more.';
          throw new Error('broken on purpose');
        });
        return transport.stream(me, { ...docs, question });
      },
      { deltas: ['Thirty characters and some more.'], last: ['error'] },
    ],
    [
      'delete',
      'key',
      (transport, me, { fileId }) => transport.remove(me, { ...docs, fileId }),
      null,
    ],
    ['delete', 'token', (transport, me, { fileId }) => transport.remove(me, { fileId }), null],
    [
      'purge of a dataset',
      'token',
      (transport, me) => transport.purgeDataset(me, 'docs'),
      { deleted: 1 },
    ],
    [
      'purge of nothing',
      'key',
      (transport, me) => transport.purgeDataset(me, 'nowhere'),
      { deleted: 0 },
    ],
    ['purge of a customer', 'key', (transport, me) => transport.purgeCustomer(me), { deleted: 1 }],
    [
      'token',
      'key',
      (transport, me) => transport.createToken(me, { datasetId: 'docs', ttlSeconds: 60 }),
      { token: expect.any(String), expiresIn: 60 },
    ],
  ];

  it.each(operations)('%s, as %s', (_, as, act, result) => onEach(as, act, { result }));
});

it.each([
  ['answer', ['graphql', 'mcp', 'client', 'openai', 'aiSdk']],
  ['stream', ['graphql', 'openai', 'aiSdk']],
  ['search', ['graphql', 'mcp', 'client']],
] as const)('compares %s over %j', async (ask, transports) => {
  const { others } = await actOnEach(gateway, 'key', (transport, me) =>
    transport[ask](me, { ...docs, question }),
  );
  expect(Object.keys(others)).toEqual(transports);
});

describe('refuses the same:', () => {
  const rows = Object.entries(createRefusals(faults)).flatMap(([code, refused]) =>
    typeof refused === 'string' ? [] : refused.map((row) => ({ code: code as ErrorCode, row })),
  );

  it.each(rows)('$code, as $row.0', async ({ code, row: [as, act, error, details = {}] }) => {
    const { status, text } = ERRORS[code];
    await onEach(as, act, { status, code, error: error ?? text, details });
  });
});

describe('reads the same bodies:', () => {
  it.each([
    ['no JSON', '{', 'application/json', ERRORS.INVALID_JSON.text, 400],
    ['null', 'null', 'application/json', ERRORS.INVALID_JSON.text, 400],
    ['a text', 'question=x', 'text/plain', 'Content-Type must be application/json', 415],
    ['too much', ' '.repeat(1024 ** 2 + 1), 'application/json', ERRORS.BODY_TOO_LARGE.text, 413],
  ])('%s', async (_, body, type, error, status) => {
    const { clients } = await setScene(gateway);
    const headers = { 'content-type': type };
    const rest = await clients.key.raw('POST', '/v1/search', body, { headers });
    expect([rest.status, await rest.json()]).toEqual([status, { error }]);
    const code = rest.headers.get('x-error-code');
    expect(Object.keys(ERRORS)).toContain(code);
    const graphql = await clients.key.raw('POST', '/graphql', body, { headers });
    expect([graphql.status, await graphql.json()]).toMatchObject([
      status,
      { errors: [{ message: error, extensions: { code } }] },
    ]);
  });
});

describe('shares between the transports', () => {
  it('the credits: what one spends, the other does not have', async () => {
    const { clients } = await setScene(gateway, '1.2');
    const asked = { ...docs, question };
    resultOf(await restTransport.search(clients.key, asked));
    resultOf(await graphqlTransport.answer(clients.key, asked));
    const spent = { error: 'INSUFFICIENT_CREDITS', details: { required: 0.1, available: 0 } };
    expect(await restTransport.answer(clients.key, asked)).toMatchObject(spent);
    expect(await graphqlTransport.search(clients.key, asked)).toMatchObject(spent);
  });

  it('the rate windows: what one counts, the other counts on', async () => {
    const { clients } = await setScene(gateway);
    for (let purge = 0; purge < 10; purge++) {
      const transport = purge % 2 === 0 ? restTransport : graphqlTransport;
      resultOf(await transport.purgeDataset(clients.key, 'nowhere'));
    }
    const limited = { status: 429, error: 'Rate limit exceeded' };
    expect(await restTransport.purgeCustomer(clients.key)).toMatchObject(limited);
    expect(await graphqlTransport.purgeCustomer(clients.key)).toMatchObject(limited);
    expect(await graphqlTransport.purgeDataset(clients.token, 'docs')).toMatchObject(limited);
  });

  it('tokens: what one makes, the other takes', async () => {
    const { clients } = await setScene(gateway);
    for (const [maker, taker] of [
      [restTransport, graphqlTransport],
      [graphqlTransport, restTransport],
    ] as const) {
      const { token } = resultOf(await maker.createToken(clients.key, docs));
      const files = resultOf(await taker.list(createClient(gateway, token), {}));
      expect(files).toMatchObject([{ originalName: 'a.txt' }]);
    }
  });

  it('download links: what one has made, the other shows', async () => {
    const { clients, fileId } = await setScene(gateway);
    const first = resultOf(await graphqlTransport.get(clients.key, { ...docs, fileId }));
    expect(resultOf(await restTransport.get(clients.token, { fileId }))).toEqual(first);
  });
});

async function onEach(as: Who, act: Act, expected: object): Promise<void> {
  const { rest, others } = await actOnEach(gateway, as, act);
  expect(rest.outcome).toMatchObject(expected);
  for (const [name, { seen, expected: alike }] of Object.entries(others)) {
    expect(seen, name).toEqual(alike);
  }
}
