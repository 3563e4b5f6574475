import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Document } from '@langchain/core/documents';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DatasetStore } from '../../../src/adapters/vectors/dataset-store.ts';
import type { DatasetVectorStore } from '../../../src/adapters/vectors/dataset-vector-store.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { createVectorStores, type VectorStores } from '../../../src/runtime/vector-stores.ts';
import { audit } from '../../support/audit.ts';
import { type Client, newCustomer } from '../../support/client.ts';
import { ask } from '../../support/databases.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

/* A user of LangChain works on the datasets of a running gateway. */

const ANIMALS = {
  'fox.txt': 'The fox is quick and hunts at night.',
  'hen.txt': 'The hen lays an egg every morning.',
  'owl.txt': 'The owl sees well in the dark.',
};

let gateway: TestGateway;
let stores: VectorStores;
let customer: Client & { customerId: string };
let store: DatasetStore;
/** By file name. */
let fileIds: Record<string, string>;

beforeAll(async () => {
  gateway = await startGateway();
  stores = createVectorStores(readConfig(gateway.settings), createLog('silent'));
});
afterAll(async () => {
  await stores.close();
  await gateway.close();
});

beforeEach(async () => {
  customer = await newCustomer(gateway);
  fileIds = await upload(customer);
  store = await open(customer);
});
afterEach(async () => expect(await audit(gateway)).toEqual({}));

async function upload(client: Client, datasetId = 'animals'): Promise<Record<string, string>> {
  const { body } = await client.upload(datasetId, ANIMALS);
  const files: { originalName: string; fileId: string }[] = body.files;
  return Object.fromEntries(files.map(({ originalName, fileId }) => [originalName, fileId]));
}

const open = ({ customerId }: { customerId: string }, dataset = 'animals') =>
  stores.open({ customer: customerId, dataset });

const about = (name: string, pageContent: string, metadata = {}) =>
  new Document({ pageContent, metadata: { ...metadata, fileId: fileIds[name] } });

/** What a search by the gateway finds, best first. */
async function found(question: string, filters: object[] = []) {
  const asked = { datasetId: 'animals', question, filters, limit: 50 };
  return (await customer.rest('POST', '/search', asked)).body.data;
}

it('similaritySearchWithScore finds what the gateway does, with the same scores', async () => {
  const question = 'What does the hen lay?';
  const hits = await store.similaritySearchWithScore(question, 50);
  const same = hits.map(([{ pageContent, metadata }, score]) => ({ score, pageContent, metadata }));
  expect(same).toEqual(await found(question));
  expect(same).toHaveLength(3);
  const [nearest] = await store.similaritySearch(question, 1);
  expect(nearest).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    pageContent: ANIMALS['hen.txt'],
    metadata: { fileId: fileIds['hen.txt'], originalName: 'hen.txt' },
  });
  const vector = await store.embeddings.embedQuery(question);
  const [[, both] = []] = await store.similaritySearchVectorWithScores(vector, 1);
  expect(both).toEqual({ distance: -(hits[0]?.[1] ?? 0), similarity: hits[0]?.[1] });
});

it('vectors need not have length 1, but 1,536 finite numbers', async () => {
  const vector = await store.embeddings.embedQuery('What does the hen lay?');
  const hits = await store.similaritySearchVectorWithScore(vector, 3);
  const longer = vector.map((number) => 5 * number);
  const same = await store.similaritySearchVectorWithScore(longer, 3);
  for (const [at, [document, score]] of same.entries()) {
    expect(document).toEqual(hits[at]?.[0]);
    expect(score).toBeCloseTo(hits[at]?.[1] ?? 2, 3);
  }
  const search = (query: number[]) => store.similaritySearchVectorWithScore(query, 3);
  await expect(search([1, 2, 3])).rejects.toThrow('3 dimensions');
  await expect(search(vector.with(7, Number.NaN))).rejects.toThrow('not finite');
});

it('addDocuments adds chunks to files, which the gateway finds as its own', async () => {
  await store.addDocuments([
    about('fox.txt', 'It has a bushy tail.', { page: 7, seen: new Date(0) }),
    about('hen.txt', 'It is afraid of weasels.'),
    about('fox.txt', 'Its den is under the oak.', { originalName: 'forged' }),
  ]);
  const [tail] = await found('bushy tail');
  expect(tail).toMatchObject({
    pageContent: 'It has a bushy tail.',
    metadata: {
      page: 7,
      seen: '1970-01-01T00:00:00.000Z',
      fileId: fileIds['fox.txt'],
      originalName: 'fox.txt',
      customerId: customer.customerId,
      datasetId: 'animals',
    },
  });
  const ofFox = await found('fox', [{ key: 'originalName', match: { value: 'fox.txt' } }]);
  expect(ofFox).toHaveLength(3);
  const seen = { key: 'seen', match: { value: '1970-01-01T00:00:00.000Z' } };
  expect(await found('anything', [seen])).toHaveLength(1);
  // The name of the file is a part of what is embedded, as it is of uploads.
  const [[document, score] = []] = await store.similaritySearchWithScore(
    'fox.txt\nIts den is under the oak.',
    1,
  );
  expect(document?.pageContent).toBe('Its den is under the oak.');
  expect(score).toBeCloseTo(1, 3);
});

it('chunks that are added come after those of the file, also at the same time', async () => {
  const texts = Array.from({ length: 300 }, (_, at) => `Paragraph ${at} of the fox.`);
  const vector = await store.embeddings.embedQuery('fox');
  const add = (some: string[]) =>
    store.addVectors(
      some.map(() => vector),
      some.map((text) => about('fox.txt', text)),
    );
  await Promise.all([add(texts.slice(0, 150)), add(texts.slice(150))]);
  const rows = await ask<{ position: number; content: string }>(
    gateway.connection,
    `SELECT position, content FROM chunk JOIN file USING (customer_key, loader_key)
    WHERE file.id = '${fileIds['fox.txt']}' ORDER BY position`,
  );
  expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 301 }, (_, at) => at));
  expect(new Set(rows.map(({ content }) => content))).toEqual(
    new Set([ANIMALS['fox.txt'], ...texts]),
  );
});

it('all documents are added, or none', async () => {
  const others = await upload(await newCustomer(gateway));
  const right = about('fox.txt', 'This is right.');
  const wrong: [Document, string][] = [
    [new Document({ pageContent: 'of no file' }), 'metadata.fileId'],
    [new Document({ pageContent: 'x', metadata: { fileId: 'fox.txt' } }), 'metadata.fileId'],
    [new Document({ pageContent: 'x', metadata: { fileId: others['fox.txt'] } }), 'no file'],
    [about('fox.txt', 'a \0 character'), 'not readable'],
    [about('fox.txt', 'x', { lone: '\ud800' }), 'not readable'],
  ];
  for (const [document, reason] of wrong) {
    await expect(store.addDocuments([right, document])).rejects.toThrow(reason);
    const vectors = [right, document].map(() => new Float32Array(1536));
    await expect(store.addVectors(vectors, [right, document])).rejects.toThrow(reason);
  }
  await expect(store.addVectors([], [right])).rejects.toThrow('0 vectors for 1 documents');
  await expect(store.addDocuments([right], { ids: ['1'] })).rejects.toThrow('ids');
  await store.addDocuments([]);
  expect(await found('This is right.')).toHaveLength(3);
});

it('an addition fails when a later batch of it does', async () => {
  const texts = Array.from({ length: 200 }, (_, at) => (at === 100 ? 'a \0 character' : `${at}`));
  const vector = await store.embeddings.embedQuery('fox');
  const documents = texts.map(
    (pageContent) => new Document({ pageContent, metadata: { batched: true } }),
  );
  const run = { loaderKey: 1n, positions: texts.map((_, at) => at) };
  const vectors = texts.map(() => vector);
  const whole = store as DatasetVectorStore;
  await expect(whole.addVectors(vectors, documents, { run })).rejects.toThrow('0x00');
  await store.delete({ filter: { batched: true } });
});

it('a file that is being deleted takes no documents', async () => {
  const deleted = (text: string) => store.addDocuments([about('owl.txt', text)]);
  const adding = Promise.allSettled(
    Array.from({ length: 5 }, (_, at) => deleted(`Feather ${at}.`)),
  );
  await customer.rest('DELETE', `/files/${fileIds['owl.txt']}?datasetId=animals`);
  await adding;
  await expect(deleted('too late')).rejects.toThrow('There is no file');
  for (const { pageContent } of await found('feather')) expect(pageContent).not.toMatch('Feather');
});

it('delete removes chunks by their ids, and no others', async () => {
  const other = await newCustomer(gateway);
  await upload(other);
  await store.addDocuments([about('fox.txt', 'A tail.'), about('fox.txt', 'A den.')]);
  const [tail] = await store.similaritySearch('fox.txt A tail.', 1);
  const [theirs] = await (await open(other)).similaritySearch('fox', 1);
  await store.delete({ ids: [tail?.id ?? '', theirs?.id ?? '', '9223372036854775807'] });
  const left = await found('fox');
  expect(left).toHaveLength(4);
  expect(left.map(({ pageContent }: Document) => pageContent)).not.toContain('A tail.');
  expect(await (await open(other)).similaritySearch('fox', 9)).toHaveLength(3);
  await store.delete({ ids: [] });
  for (const id of ['', '-1', 'fox.txt', '9223372036854775808', '1; DROP TABLE chunk']) {
    await expect(store.delete({ ids: [id] })).rejects.toThrow('not the id');
  }
  expect(await found('fox')).toHaveLength(4);
});

it('delete removes chunks by a filter, which must say something', async () => {
  const drafts = [{ draft: true }, { draft: 'true' }, { draft: true, lang: 'de' }];
  await store.addDocuments(drafts.map((metadata) => about('fox.txt', 'A draft.', metadata)));
  await store.delete({ filter: { draft: true, lang: 'de' } });
  expect(await found('draft')).toHaveLength(5);
  await store.delete({ filter: { draft: true } });
  expect(await found('draft')).toHaveLength(4);
  expect(await store.similaritySearch('draft', 9, { draft: 'true' })).toHaveLength(1);
  await expect(store.delete({ filter: {} })).rejects.toThrow('whole dataset');
  await expect(store.delete({})).rejects.toThrow('ids or a filter');
  await expect(store.delete({ ids: [], filter: { draft: 1 } })).rejects.toThrow('ids or a filter');
});

it('filters are plain values, and data', async () => {
  await store.addDocuments([about('fox.txt', 'Row 1.', { "it's": 1 })]);
  const search = (filter: object) => store.similaritySearch('row', 9, filter as never);
  expect(await search({ "it's": 1 })).toHaveLength(1);
  expect(await search({ "it's": '1' })).toHaveLength(0);
  expect(await search({ "x' OR true --": 1 })).toHaveLength(0);
  await expect(search({ page: { gt: 1 } })).rejects.toThrow('"page" is not a plain value');
});

it('maxMarginalRelevanceSearch leaves out what says the same again', async () => {
  const same = Array.from({ length: 5 }, () => about('fox.txt', 'The fox eats a ripe plum.'));
  await store.addDocuments([...same, about('fox.txt', 'The fox eats an old cheese.')]);
  const question = 'Does the fox eat a ripe plum?';
  const contents = (documents: Document[]) => documents.map(({ pageContent }) => pageContent);

  const nearest = contents(await store.similaritySearch(question, 2));
  expect(new Set(nearest)).toHaveLength(1);
  const options = { k: 2, fetchK: 8, lambda: 0.3, filter: { originalName: 'fox.txt' } };
  const varied = await store.maxMarginalRelevanceSearch(question, options);
  expect(contents(varied)[0]).toBe(nearest[0]);
  expect(new Set(contents(varied))).toHaveLength(2);
  for (const { id, metadata } of varied) {
    expect(id).toMatch(/^\d+$/);
    expect(metadata).not.toHaveProperty('embedding');
  }
  // With nothing but similarity, it is a similarity search.
  const similar = await store.maxMarginalRelevanceSearch(question, { ...options, lambda: 1 });
  expect(contents(similar)).toEqual(nearest);
  const none = { ...options, filter: { originalName: 'none' } };
  expect(await store.maxMarginalRelevanceSearch(question, none)).toEqual([]);
});

it('asRetriever retrieves by similarity and by marginal relevance, and adds', async () => {
  const retriever = store.asRetriever({ k: 1, filter: { originalName: 'owl.txt' } });
  await retriever.addDocuments([about('owl.txt', 'The owl has soft feathers.')]);
  const [owl, ...others] = await retriever.invoke('soft feathers');
  expect(owl?.pageContent).toBe('The owl has soft feathers.');
  expect(others).toEqual([]);
  const varied = store.asRetriever({ searchType: 'mmr', k: 4, searchKwargs: { fetchK: 10 } });
  expect(await varied.invoke('soft feathers')).toHaveLength(4);
});

it('what makes tables and indexes elsewhere does not here', async () => {
  const whole = store as DatasetVectorStore;
  await whole.ensureTableInDatabase();
  await expect(whole.createHnswIndex()).rejects.toThrow('exactly');
});

it('a customer or dataset that is not there is refused', async () => {
  await expect(open({ customerId: 'nobody' })).rejects.toThrow('no customer nobody');
  await expect(open(customer, 'plants')).rejects.toThrow('no dataset plants');
});

it('while another model embeds the dataset, nothing is deleted that would come back', async () => {
  const [{ key } = { key: 0 }] = await ask<{ key: number }>(
    gateway.connection,
    `SELECT key FROM customer WHERE id = '${customer.customerId}'`,
  );
  const set = (second: string) =>
    ask(gateway.connection, `UPDATE dataset SET ${second} WHERE customer_key = ${key}`);
  await set(`second_key = 2000000000, second_model = 'other'`);
  await expect(store.delete({ filter: { originalName: 'fox.txt' } })).rejects.toThrow('embedded');
  await set('second_key = NULL, second_model = NULL');
  expect(await found('fox')).toHaveLength(3);
});

it('the example of the page runs', async () => {
  const page = await readFile('docs/search.md', 'utf8');
  const [, example = ''] = page.match(/```js\n([^`]*createVectorStores[^`]*)```/) ?? [];
  const source = example
    .replace("'filequery'", `'${new URL('../../../src/index.ts', import.meta.url)}'`)
    .replace("fileId = '...'", `fileId = '${fileIds['owl.txt']}'`)
    .replace("customer: 'acme'", `customer: '${customer.customerId}'`);
  expect(source).not.toBe(example);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', source],
    { env: { ...process.env, ...gateway.settings } },
  );
  expect(stdout).toMatch(/^0\.\d+ .*hours/);
  expect(await found('opening hours')).toHaveLength(3);
});
