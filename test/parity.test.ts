import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../src/core/errors.ts';
import { createClient } from './support/client.ts';
import { resultOf } from './support/face.ts';
import { faults, shareGateway, type TestGateway } from './support/gateway.ts';
import { graphqlFace } from './support/graphql-face.ts';
import { type Act, actOnBoth, setScene, type Who } from './support/parity.ts';
import { createRefusals } from './support/parity-refusals.ts';
import { restFace } from './support/rest-face.ts';

/* Two faces, one deed: the same operation has the same outcome, text and effects on both. */

const docs = { datasetId: 'docs' };
const question = 'What is the capital of Andorra?';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

describe('does the same:', () => {
  type Deed = [title: string, as: Who, act: Act, result: unknown];
  const deeds: Deed[] = [
    ['list', 'key', (face, me) => face.list(me, docs), [{ originalName: 'a.txt', size: 43 }]],
    ['list', 'token', (face, me) => face.list(me, {}), [{ originalName: 'a.txt' }]],
    ['list of nothing', 'key', (face, me) => face.list(me, { datasetId: 'nowhere' }), []],
    [
      'page',
      'key',
      (face, me) => face.page(me, { ...docs, limit: 1 }),
      { files: [{ originalName: 'a.txt' }], nextCursor: null },
    ],
    [
      'get',
      'key',
      (face, me, { fileId }) => face.get(me, { ...docs, fileId }),
      { originalName: 'a.txt', permanentUrl: expect.stringContaining('/storage/') },
    ],
    ['get', 'token', (face, me, { fileId }) => face.get(me, { fileId }), { datasetId: 'docs' }],
    [
      'upload',
      'key',
      (face, me) =>
        face.upload(me, {
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
      (face, me) => face.search(me, { ...docs, question }),
      [{ score: expect.any(Number) }],
    ],
    ...['vector', 'keyword', 'hybrid'].map(
      (mode): Deed => [
        `search by ${mode}`,
        'key',
        (face, me) => face.search(me, { ...docs, question: 'capital of Andorra', mode }),
        [{ score: expect.any(Number), metadata: { originalName: 'a.txt' } }],
      ],
    ),
    [
      'search by keywords with words that no chunk has',
      'key',
      (face, me) => face.search(me, { ...docs, question: 'walrus', mode: 'keyword' }),
      [],
    ],
    [
      'search with filters',
      'token',
      (face, me, { fileId }) =>
        face.search(me, { question, limit: 1, filters: [{ key: 'fileId', value: fileId }] }),
      [{ metadata: { originalName: 'a.txt' } }],
    ],
    [
      'search with filters that nothing matches',
      'key',
      (face, me) =>
        face.search(me, { ...docs, question, filters: [{ key: 'year', value: '2026' }] }),
      [],
    ],
    [
      'answer',
      'key',
      (face, me) => face.answer(me, { ...docs, question }),
      { result: expect.stringContaining('Andorra la Vella'), sources: [{}] },
    ],
    [
      'answer from nothing',
      'key',
      (face, me) => face.answer(me, { datasetId: 'nowhere', question }),
      { sources: [] },
    ],
    [
      'stream',
      'token',
      (face, me) => face.stream(me, { question }),
      { deltas: expect.arrayContaining([expect.any(String)]), last: ['done'] },
    ],
    [
      'a stream that fails in the middle',
      'key',
      (face, me) => {
        faults.answerWith(async function* () {
          yield 'Thirty characters and some more.';
          throw new Error('broken on purpose');
        });
        return face.stream(me, { ...docs, question });
      },
      { deltas: ['Thirty characters and some more.'], last: ['error'] },
    ],
    ['delete', 'key', (face, me, { fileId }) => face.remove(me, { ...docs, fileId }), null],
    ['delete', 'token', (face, me, { fileId }) => face.remove(me, { fileId }), null],
    ['purge of a dataset', 'token', (face, me) => face.purgeDataset(me, 'docs'), { deleted: 1 }],
    ['purge of nothing', 'key', (face, me) => face.purgeDataset(me, 'nowhere'), { deleted: 0 }],
    ['purge of a customer', 'key', (face, me) => face.purgeCustomer(me), { deleted: 1 }],
    [
      'token',
      'key',
      (face, me) => face.createToken(me, { datasetId: 'docs', ttlSeconds: 60 }),
      { token: expect.any(String), expiresIn: 60 },
    ],
  ];

  it.each(deeds)('%s, as %s', (_, as, act, result) => onBoth(as, act, { result }));
});

describe('refuses the same:', () => {
  const rows = Object.entries(createRefusals(faults)).flatMap(([code, refused]) =>
    typeof refused === 'string' ? [] : refused.map((row) => ({ code: code as ErrorCode, row })),
  );

  it.each(rows)('$code, as $row.0', async ({ code, row: [as, act, error, facts = {}] }) => {
    const { status, text } = ERRORS[code];
    await onBoth(as, act, { status, error: error ?? text, facts });
  });
});

describe('reads the same bodies:', () => {
  it.each([
    ['no JSON', '{', 'application/json', ERRORS.INVALID_JSON.text, 400],
    ['a list', '[]', 'application/json', ERRORS.INVALID_JSON.text, 400],
    ['null', 'null', 'application/json', ERRORS.INVALID_JSON.text, 400],
    ['a text', 'question=x', 'text/plain', 'Content-Type must be application/json', 415],
    ['too much', ' '.repeat(1024 ** 2 + 1), 'application/json', ERRORS.BODY_TOO_LARGE.text, 413],
  ])('%s', async (_, body, type, error, status) => {
    const { clients } = await setScene(gateway);
    const headers = { 'content-type': type };
    const rest = await clients.key.raw('POST', '/v1/search', body, { headers });
    expect([rest.status, await rest.json()]).toEqual([status, { error }]);
    const graphql = await clients.key.raw('POST', '/graphql', body, { headers });
    expect([graphql.status, await graphql.json()]).toMatchObject([
      status,
      { errors: [{ message: error }] },
    ]);
  });
});

describe('shares between the faces', () => {
  it('the credits: what one spends, the other does not have', async () => {
    const { clients } = await setScene(gateway, '1.2');
    const asked = { ...docs, question };
    resultOf(await restFace.search(clients.key, asked));
    resultOf(await graphqlFace.answer(clients.key, asked));
    const spent = { error: 'INSUFFICIENT_CREDITS', facts: { required: 0.1, available: 0 } };
    expect(await restFace.answer(clients.key, asked)).toMatchObject(spent);
    expect(await graphqlFace.search(clients.key, asked)).toMatchObject(spent);
  });

  it('the rate windows: what one counts, the other counts on', async () => {
    const { clients } = await setScene(gateway);
    for (let purge = 0; purge < 10; purge++) {
      const face = purge % 2 === 0 ? restFace : graphqlFace;
      resultOf(await face.purgeDataset(clients.key, 'nowhere'));
    }
    const limited = { status: 429, error: 'Rate limit exceeded' };
    expect(await restFace.purgeCustomer(clients.key)).toMatchObject(limited);
    expect(await graphqlFace.purgeCustomer(clients.key)).toMatchObject(limited);
    expect(await graphqlFace.purgeDataset(clients.token, 'docs')).toMatchObject(limited);
  });

  it('tokens: what one makes, the other takes', async () => {
    const { clients } = await setScene(gateway);
    for (const [maker, taker] of [
      [restFace, graphqlFace],
      [graphqlFace, restFace],
    ] as const) {
      const { token } = resultOf(await maker.createToken(clients.key, docs));
      const files = resultOf(await taker.list(createClient(gateway, token), {}));
      expect(files).toMatchObject([{ originalName: 'a.txt' }]);
    }
  });

  it('download links: what one has made, the other shows', async () => {
    const { clients, fileId } = await setScene(gateway);
    const first = resultOf(await graphqlFace.get(clients.key, { ...docs, fileId }));
    expect(resultOf(await restFace.get(clients.token, { fileId }))).toEqual(first);
  });
});

async function onBoth(as: Who, act: Act, expected: object): Promise<void> {
  const { rest, graphql } = await actOnBoth(gateway, as, act);
  expect(rest.outcome).toMatchObject(expected);
  expect(graphql).toEqual(rest);
}
