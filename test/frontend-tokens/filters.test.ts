import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IngestionDocument, NodeDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { startUpload } from '../support/graphql.ts';
import { graphqlTransport } from '../support/graphql-transport.ts';
import { restTransport } from '../support/rest-transport.ts';
import {
  resultOf,
  type ShownFile,
  type Transport,
  type WantedToken,
} from '../support/transport.ts';

/* For a token with filters, files that do not match them do not exist. */

const docs = { datasetId: 'docs' };
const question = 'What is the word of this file?';
const equals = (key: string, value: unknown) => ({ key, match: { value } });
const ofTeamA = [equals('team', 'a')];

/** The metadata of each file; its text has a word of its own. */
const FILES: Record<string, object | undefined> = {
  'a.txt': { team: 'a', year: 2026, tags: ['x'] },
  'b.txt': { team: 'b', year: '2026', tags: 'x' },
  'capital.md': { team: 'A', year: 2026 },
  'list.txt': { team: ['a'], draft: true },
  'none.md': undefined,
};
const HIDDEN = Object.keys(FILES).filter((name) => name !== 'a.txt');

let gateway: TestGateway;
let customer: Client & { customerId: string };
let files: Map<string, ShownFile>;

beforeAll(async () => {
  gateway = await shareGateway();
});
beforeEach(async () => {
  customer = await newCustomer(gateway);
  const texts = Object.keys(FILES).map((name) => [
    name,
    `The word of this file is ${wordOf(name)}.`,
  ]);
  const uploaded = await restTransport.upload(customer, {
    ...docs,
    files: Object.fromEntries(texts),
    metadata: JSON.parse(JSON.stringify(FILES)),
  });
  files = new Map(resultOf(uploaded).files.map((file) => [file.originalName, file]));
});
afterAll(() => gateway.close());

/** A client with a token, and all that the gateway says to it. */
async function limited(filters: WantedToken['filters'] = ofTeamA, transport = restTransport) {
  const { token } = resultOf(await transport.createToken(customer, { ...docs, filters }));
  const heard: string[] = [];
  const { fetch } = gateway;
  const overheard = async (request: Request) => {
    const response = await fetch(request);
    heard.push(await response.clone().text());
    return response;
  };
  return { me: createClient({ fetch: overheard }, token), heard };
}

describe.each<[string, Transport]>([
  ['REST', restTransport],
  ['GraphQL', graphqlTransport],
])('over %s', (_, transport) => {
  it('no operation shows or removes a file that does not match', async () => {
    const { me, heard } = await limited(ofTeamA, transport);
    const fileId = idOf('a.txt');
    expect(resultOf(await transport.list(me, {})).map(nameOf)).toEqual(['a.txt']);
    const page = resultOf(await transport.page(me, { limit: 1 }));
    expect([page.files.map(nameOf), page.nextCursor]).toEqual([['a.txt'], null]);
    expect(resultOf(await transport.get(me, { fileId })).permanentUrl).toMatch(/^http/);
    for (const mode of ['vector', 'keyword', 'hybrid']) {
      const hits = resultOf(await transport.search(me, { question, mode, limit: 50 }));
      expect(hits.map(({ metadata }) => metadata)).toMatchObject([{ originalName: 'a.txt' }]);
    }
    for (const hidden of HIDDEN) {
      const filters = [equals('originalName', hidden)];
      expect(resultOf(await transport.search(me, { question, filters }))).toEqual([]);
      const missing = {
        status: 404,
        code: 'FILE_NOT_FOUND',
        error: 'File not found',
        details: {},
      };
      const asked = { fileId: idOf(hidden) };
      expect(await transport.get(me, asked)).toEqual(missing);
      expect(await transport.remove(me, asked)).toEqual(missing);
    }
    const other = [equals('team', 'b')];
    expect(resultOf(await transport.search(me, { question, filters: other }))).toEqual([]);
    expect(resultOf(await transport.answer(me, { question }))).toMatchObject({ sources: [{}] });
    const unanswered = resultOf(await transport.answer(me, { question, filters: other }));
    expect(unanswered).toMatchObject({ sources: [] });
    resultOf(await transport.stream(me, { question }));
    expect(resultOf(await transport.purgeDataset(me, 'docs'))).toEqual({ deleted: 1 });
    expect(resultOf(await transport.list(me, {}))).toEqual([]);

    expect(
      resultOf(await restTransport.list(customer, docs))
        .map(nameOf)
        .sort(),
    ).toEqual(HIDDEN);
    const secrets = HIDDEN.flatMap((name) => [wordOf(name), idOf(name)]);
    // GraphQL tells a path of an error and nothing else of what was asked.
    expect(secrets.filter((secret) => heard.join().includes(secret))).toEqual([]);
  });

  it('what is uploaded gets the metadata that the filters demand', async () => {
    const filters = [...ofTeamA, equals('draft', true)];
    const { me } = await limited(filters, transport);
    const uploaded = await transport.upload(me, {
      files: { 'x.txt': 'The word of this file is x.', 'y.txt': 'The word of this file is y.' },
      metadata: { 'x.txt': { team: 'a', year: 2027 } },
    });
    expect(resultOf(uploaded).files).toMatchObject([
      { extraMeta: { team: 'a', year: 2027, draft: true } },
      { extraMeta: { team: 'a', draft: true } },
    ]);
    expect(
      resultOf(await transport.list(me, {}))
        .map(nameOf)
        .sort(),
    ).toEqual(['x.txt', 'y.txt']);
    expect(resultOf(await transport.search(me, { question }))).toHaveLength(2);
  });

  it('400 for an upload that does not match, of which nothing is left', async () => {
    for (const [filters, metadata] of MISFITS) {
      // Made over REST, whose form the filters have.
      const { me } = await limited(filters);
      const outcome = await transport.upload(me, {
        files: { 'x.txt': 'A text.' },
        ...(metadata && { metadata: { 'x.txt': metadata } }),
      });
      const error = 'x.txt does not match the filters of the token';
      expect([filters, outcome]).toMatchObject([filters, { status: 400, error }]);
    }
    expect(resultOf(await restTransport.list(customer, docs))).toHaveLength(5);
  });
});

/** Filters, and metadata with which an upload does not match them. */
const MISFITS: [filters: object[], metadata?: object][] = [
  [ofTeamA, { team: 'b' }],
  [ofTeamA, { team: null }],
  [[equals('year', 2026)], { year: '2026' }],
  [[equals('mimeType', 'text/html')]],
  [[equals('fileId', 'x')]],
  [[...ofTeamA, equals('team', 'b')]],
  [[{ key: 'team', match: { any: ['a', 'b'] } }]],
  [[{ must_not: ofTeamA }], { team: 'a' }],
];

it('GraphQL counts what matches, and finds nothing else by a global id', async () => {
  const { me } = await limited();
  const { data } = await me.graphql('{ datasets { nodes { fileCount } } files { totalCount } }');
  expect(data).toEqual({ datasets: { nodes: [{ fileCount: 1 }] }, files: { totalCount: 1 } });
  for (const name of Object.keys(FILES)) {
    const id = btoa(`File:${idOf(name)}:docs`);
    const { data: found } = await me.graphql(NodeDocument, { id });
    expect(found.node).toEqual(name === 'a.txt' ? expect.objectContaining({ id }) : null);
  }
});

it('GraphQL shows no part of a file that does not match by any edge', async () => {
  const { me, heard } = await limited();
  const { data, errors } = await me.graphql(`{
    viewer { datasets(first: 2) { nodes { files(first: 9) { totalCount nodes { chunks(first: 9) { nodes { content } } } } } } }
    search(input: { question: "${question}" }) { file { originalName } }
  }`);
  expect(errors).toEqual([]);
  const [dataset] = data.viewer.datasets.nodes;
  expect(dataset.files).toMatchObject({ totalCount: 1, nodes: [{ chunks: { nodes: [{}] } }] });
  expect(data.search).toEqual([{ file: { originalName: 'a.txt' } }]);
  expect(HIDDEN.filter((name) => heard.join().includes(wordOf(name)))).toEqual([]);
});

it('an asynchronous upload gets what the filters demand, and exists for tokens that match it', async () => {
  const { me } = await limited();
  const { data } = await startUpload(me, 'docs', { 'x.txt': 'The word of this file is x.' });
  const { ingestionId } = data.startUpload.ingestion;
  const statusFor = async (client: Client) =>
    (await client.graphql(IngestionDocument, { ingestionId })).data.ingestion?.status;
  await expect.poll(() => statusFor(me), { timeout: 10_000 }).toBe('COMPLETED');
  expect(resultOf(await restTransport.list(me, {})).map(nameOf)).toEqual(['x.txt', 'a.txt']);
  const { me: other } = await limited([equals('team', 'b')]);
  expect(await statusFor(other)).toBeUndefined();
  expect(await statusFor(customer)).toBe('COMPLETED');
  const { me: misfit } = await limited([equals('mimeType', 'text/html')]);
  const { errors } = await startUpload(misfit, 'docs', { 'x.txt': 'A text.' });
  expect(errors[0]?.message).toBe('x.txt does not match the filters of the token');
});

it('duplicates of files that do not match are neither skipped nor replaced', async () => {
  const { me } = await limited();
  const text = `The word of this file is ${wordOf('b.txt')}.`;
  for (const onDuplicate of ['SKIP', 'REPLACE']) {
    const { status, body } = await me.upload(undefined, { 'b.txt': text }, { onDuplicate });
    expect(status).toBe(200);
    expect(body.files[0].fileId).not.toBe(idOf('b.txt'));
    expect(body.files[0].extraMeta).toEqual({ team: 'a' });
  }
  const names = resultOf(await restTransport.list(customer, docs))
    .map(nameOf)
    .sort();
  expect(names).toEqual(['a.txt', 'b.txt', 'b.txt', 'capital.md', 'list.txt', 'none.md']);
});

it('the filters of a token list what the same filters find in a search', async () => {
  const own = equals('customerId', customer.customerId);
  const all: object[][] = [
    ...['a', 'b', 'A', 1, true].map((value) => [equals('team', value)]),
    ...[2026, '2026', 2026.5].map((value) => [equals('year', value)]),
    ...['x', 'y'].map((value) => [equals('tags', value)]),
    ...[true, false, 'true'].map((value) => [equals('draft', value)]),
    ...['text/plain', 'text/markdown', 1].map((value) => [equals('mimeType', value)]),
    ...['a.txt', 'A.TXT', true].map((value) => [equals('originalName', value)]),
    ...[idOf('b.txt'), idOf('b.txt').toUpperCase(), 'x'].map((value) => [equals('fileId', value)]),
    ...['docs', 'other', 0].map((value) => [equals('datasetId', value)]),
    [own],
    [equals('customerId', 'other')],
    [equals('size', 35)],
    [equals('__proto__', 'x')],
    [equals('year', 2026), ...ofTeamA],
    [...ofTeamA, equals('team', 'b')],
    [...ofTeamA, ...ofTeamA],
    [{ key: 'team', match: { any: ['a', 'b'] } }],
    [{ key: 'team', match: { except: ['a'] } }],
    [{ key: 'year', range: { gte: 2000 } }],
    [{ must: ofTeamA, must_not: [equals('draft', true)] }],
    [{ should: [equals('year', '2026'), equals('draft', true)] }],
    [{ must_not: ofTeamA }],
  ];
  const counts = new Set<number>();
  for (const filters of all) {
    const body = { ...docs, question, filters, limit: 50 };
    const { body: found } = await customer.rest('POST', '/search', body);
    const names = found.data.map(({ metadata }: { metadata: ShownFile }) => nameOf(metadata));
    const { me } = await limited(filters);
    const listed = resultOf(await restTransport.list(me, {})).map(nameOf);
    expect([filters, listed.sort()]).toEqual([filters, names.sort()]);
    counts.add(listed.length);
  }
  expect([...counts].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

function idOf(name: string): string {
  return files.get(name)?.fileId ?? '';
}

function nameOf({ originalName }: Pick<ShownFile, 'originalName'>): string {
  return originalName;
}

function wordOf(name: string): string {
  return `secret${name.replace('.', '')}end`;
}
