import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { statementsOf } from '../support/statements.ts';

/* However many objects a request is about, the database is asked the same few times. */

let gateway: TestGateway;
let me: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway);
  await Promise.all([
    ...[0, 20, 40, 60, 80].map((first) => me.upload('docs', texts(first, 20))),
    me.upload('few', texts(0, 2)),
  ]);
});
afterAll(() => gateway.close());

it('signs the URLs of a hundred files as it signs those of two', async () => {
  const few = await statementsOf(() => urlsOf('few', 2));
  const many = await statementsOf(() => urlsOf('docs', 100));
  expect(many).toEqual(few);
  expect(many.length).toBeLessThanOrEqual(6);
});

it('reads the URLs that were signed before with the files', async () => {
  let before: string[] = [];
  let again: string[] = [];
  const signing = await statementsOf(async () => {
    before = await urlsOf('docs', 50);
  });
  const reading = await statementsOf(async () => {
    again = await urlsOf('docs', 50);
  });
  expect(again).toEqual(before);
  expect(reading.length).toBeLessThanOrEqual(signing.length);
  expect(reading.filter((sql) => /UPDATE/.test(sql))).toEqual([]);
});

it('counts the files of forty datasets as it counts those of two', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `dataset ${at}`);
  for (const name of names) await me.upload(name, { 'a.txt': 'Apples.' });
  const few = await statementsOf(() => countsOf(2));
  const many = await statementsOf(() => countsOf(42));
  expect(many).toEqual(few);
  expect(many.length).toBeLessThanOrEqual(3);
});

async function urlsOf(datasetId: string, count: number): Promise<string[]> {
  const { data, errors } = await me.graphql(
    `{ files(datasetId: "${datasetId}", first: ${count}) { nodes { permanentUrl } } }`,
  );
  expect(errors).toEqual([]);
  const urls = data.files.nodes.map(({ permanentUrl }: { permanentUrl: string }) => permanentUrl);
  expect(new Set(urls).size).toBe(count);
  return urls;
}

async function countsOf(count: number): Promise<void> {
  const { data } = await me.graphql(`{ datasets(first: ${count}) { nodes { fileCount } } }`);
  expect(data.datasets.nodes).toHaveLength(count);
}

function texts(first: number, count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, at) => first + at);
  return Object.fromEntries(numbers.map((number) => [`${number}.txt`, `This is text ${number}.`]));
}
