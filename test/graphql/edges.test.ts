import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { statementsOf } from '../support/statements.ts';

/* Whatever a list has edges to is read at once, and only what the caller may see. */

let gateway: TestGateway;
let me: Client;
let token: Client;
const LONG = Array.from({ length: 7 }, (_, at) => `# Part ${at}\n\nText of part ${at}.`).join(
  '\n\n',
);

beforeAll(async () => {
  gateway = await shareGateway();
  const customer = await newCustomer(gateway);
  me = customer;
  for (const dataset of ['a', 'b', 'c', 'd']) {
    await me.upload(dataset, {
      'one.txt': `One of ${dataset}.`,
      'two.txt': `Two of ${dataset}.`,
      'three.txt': `Three of ${dataset}.`,
    });
  }
  await me.upload('long', { 'long.md': LONG }, { chunkSize: 10, chunkOverlap: 0 });
  const created = await gateway.admin.createToken(customer.customerId, 'a');
  token = createClient(gateway, created.token);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

async function ask(query: string, client = me) {
  const { data, errors } = await client.graphql(query);
  expect(errors).toEqual([]);
  return data;
}

describe('the database is asked as often for many objects as for one, for', () => {
  it.each([
    [
      'the files of datasets',
      '{ datasets(first: N) { nodes { files(first: 2) { nodes { id } } } } }',
    ],
    ['their counts', '{ datasets(first: N) { nodes { files { totalCount } } } }'],
    [
      'datasets of the viewer, their files, and the datasets of these',
      '{ viewer { datasets(first: N) { nodes { files { nodes { dataset { id } } } } } } }',
    ],
    [
      'the chunks of files',
      '{ files(datasetId: "a", first: N) { nodes { chunks { nodes { content } totalCount } } } }',
    ],
    [
      'the files of hits, with their links',
      '{ search(input: { datasetId: "a", question: "one two three", limit: N }) { file { id permanentUrl } } }',
    ],
  ])('%s', async (_, query) => {
    const asking = (count: number) => () => ask(query.replace('N', String(count)));
    await asking(3)();
    const one = await statementsOf(asking(1));
    const many = await statementsOf(asking(3));
    expect(many).toEqual(one);
    expect(many).not.toEqual([]);
  });
});

describe('edges lead', () => {
  it('from a dataset to its files, with a page, an order and conditions of their own', async () => {
    const { datasets } = await ask(`{ datasets(first: 3) { nodes { datasetId
      all: files(orderBy: { field: ORIGINAL_NAME, direction: ASC }) { ...Page }
      last: files(last: 1, orderBy: { field: ORIGINAL_NAME, direction: ASC }) { ...Page }
      t: files(where: { originalName: { startsWith: "T" } }, first: 1) { ...Page }
    } } } fragment Page on FileConnection {
      totalCount nodes { originalName datasetId } pageInfo { hasNextPage hasPreviousPage } }`);
    expect(datasets.nodes.map(({ datasetId }: { datasetId: string }) => datasetId)).toEqual([
      'a',
      'b',
      'c',
    ]);
    for (const { datasetId, all, last, t } of datasets.nodes) {
      const file = (originalName: string) => ({ originalName, datasetId });
      expect(all.nodes).toEqual([file('one.txt'), file('three.txt'), file('two.txt')]);
      expect(last).toEqual({
        totalCount: 3,
        nodes: [file('two.txt')],
        pageInfo: { hasNextPage: false, hasPreviousPage: true },
      });
      expect(t.totalCount).toBe(2);
      expect(t.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false });
    }
  });

  it('on, with the cursor of a page', async () => {
    const read: string[] = [];
    let after = 'null';
    for (let more = true; more; ) {
      const { node } = await ask(`{ node(id: "${btoa('Dataset:a')}") { ... on Dataset {
        files(first: 1, after: ${after}) {
          nodes { originalName } pageInfo { hasNextPage endCursor } } } } }`);
      read.push(...node.files.nodes.map((file: { originalName: string }) => file.originalName));
      after = JSON.stringify(node.files.pageInfo.endCursor);
      more = node.files.pageInfo.hasNextPage;
    }
    expect(read.sort()).toEqual(['one.txt', 'three.txt', 'two.txt']);
  });

  it('from a file to its chunks, from either end, with their places', async () => {
    const { files } = await ask(`{ files(datasetId: "long") { nodes {
      all: chunks { ...Page } two: chunks(first: 2) { ...Page } last: chunks(last: 2) { ...Page }
      none: chunks(first: 0) { ...Page }
    } } } fragment Page on ChunkConnection {
      totalCount nodes { content position location { heading line page } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`);
    const { all, two, last, none } = files.nodes[0];
    const texts = all.nodes.map(({ content }: { content: string }) => content).join(' ');
    for (let part = 0; part < 7; part++) expect(texts).toContain(`Part ${part}`);
    expect(all.totalCount).toBe(all.nodes.length);
    expect(all.nodes.map(({ position }: { position: number }) => position)).toEqual([
      ...all.nodes.keys(),
    ]);
    expect(all.nodes[0].location).toEqual({ heading: 'Part 0', line: null, page: null });
    expect(two.nodes).toEqual(all.nodes.slice(0, 2));
    expect(two.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(last.nodes).toEqual(all.nodes.slice(-2));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(none).toMatchObject({ totalCount: all.totalCount, nodes: [] });
    const next = await ask(`{ files(datasetId: "long") { nodes {
      chunks(after: "${two.pageInfo.endCursor}", before: "${last.pageInfo.startCursor}") {
        nodes { content position location { heading line page } } } } } }`);
    expect(next.files.nodes[0].chunks.nodes).toEqual(all.nodes.slice(2, -2));
  });

  it.each([
    ['chunks(last: 101)', 'last must be between 0 and 100'],
    ['chunks(first: -1)', 'first must be between 0 and 100'],
    ['chunks(after: "walrus")', 'cursor is not one that a list has given'],
    ['chunks(first: 1, last: 1)', 'first and last cannot be given together'],
  ])('nowhere from a file by %s: null, and an error', async (edge, reason) => {
    const { data, errors } = await me.graphql(
      `{ files(datasetId: "long", first: 1) { nodes { originalName edge: ${edge} { totalCount } } } }`,
    );
    expect(data.files.nodes).toEqual([{ originalName: 'long.md', edge: null }]);
    expect(errors).toMatchObject([{ message: reason, path: ['files', 'nodes', 0, 'edge'] }]);
  });

  it('nowhere from a hit whose file was deleted since', async () => {
    const { body } = await me.upload('going', { 'a.txt': 'Apples are red.' });
    faults.before('sql:id = ANY(', () =>
      me.rest('DELETE', `/files/${body.files[0].fileId}?datasetId=going`),
    );
    const { search } = await ask(
      '{ search(input: { datasetId: "going", question: "apples" }) { originalName file { id } } }',
    );
    expect(search).toEqual([{ originalName: 'a.txt', file: null }]);
  });

  it('to what a mutation before it has changed', async () => {
    await me.upload('changing', { 'a.txt': 'A.', 'b.txt': 'B.' });
    const { files } = await ask('{ files(datasetId: "changing") { nodes { fileId } } }');
    const [first, second] = files.nodes.map(({ fileId }: { fileId: string }) => fileId);
    const remove = (fileId: string) =>
      `deleteFile(input: { datasetId: "changing", fileId: "${fileId}" }) {
         dataset { fileCount files { totalCount } } }`;
    const data = await ask(`mutation { first: ${remove(first)} second: ${remove(second)} }`);
    expect(data.first.dataset).toEqual({ fileCount: 1, files: { totalCount: 1 } });
    expect(data.second.dataset).toEqual({ fileCount: 0, files: { totalCount: 0 } });
  });
});

describe('a token sees by its edges what it sees without them:', () => {
  it('its own dataset, wherever it comes from', async () => {
    const data = await ask(
      `{ viewer { datasets(first: 5) { totalCount nodes { datasetId files(first: 5) { totalCount nodes {
           datasetId dataset { datasetId } chunks { nodes { content } } } } } } }
         datasets { nodes { datasetId } } }`,
      token,
    );
    expect(data.datasets.nodes).toEqual([{ datasetId: 'a' }]);
    const { totalCount, nodes } = data.viewer.datasets;
    expect({
      totalCount,
      ids: nodes.map(({ datasetId }: { datasetId: string }) => datasetId),
    }).toEqual({
      totalCount: 1,
      ids: ['a'],
    });
    expect(nodes[0].files.totalCount).toBe(3);
    for (const file of nodes[0].files.nodes) {
      expect(file).toMatchObject({ datasetId: 'a', dataset: { datasetId: 'a' } });
      expect(file.chunks.nodes[0].content).toMatch(/of a\.$/);
    }
  });

  it('nothing of another dataset in the use-cases behind them', async () => {
    const { files } = await ask('{ files(datasetId: "b") { nodes { fileId } } }');
    const { data } = await token.graphql(
      `{ node(id: "${btoa('Dataset:b')}") { id ... on Dataset { files { totalCount } } }
         files(where: { metadata: [{ key: "datasetId", match: { value: "b" } }] }) { totalCount }
         file: node(id: "${btoa(`File:${files.nodes[0].fileId}:a`)}") { id } }`,
    );
    expect(data).toEqual({ node: null, files: { totalCount: 0 }, file: null });
  });

  it('counts each edge in its rate limit, as lists are counted', async () => {
    const busy = await newCustomer(gateway);
    await busy.upload('a', { 'a.txt': 'A.' });
    const { viewer } = await ask(
      '{ viewer { datasets { nodes { files { totalCount } more: files(first: 1) { totalCount } } } rateLimits { name remaining } } }',
      busy,
    );
    expect(viewer.datasets.nodes).toEqual([{ files: { totalCount: 1 }, more: { totalCount: 1 } }]);
    const after = await ask('{ viewer { rateLimits { name remaining } } }', busy);
    expect(after.viewer.rateLimits).toContainEqual({ name: 'LIST', remaining: 997 });
  });
});
