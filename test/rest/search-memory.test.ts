import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';
import { parseMetrics } from '../support/metrics.ts';

/* A gateway that has a dataset in memory finds the same as one that does not, which is not slow either. */

const METRICS_TOKEN = 'a-token-for-metrics';

const faults = createFaults();
let shared: TestGateway;
let withMemory: TestGateway;
let withoutMemory: TestGateway;

beforeAll(async () => {
  shared = await shareGateway();
  withMemory = await startBeside({ METRICS_TOKEN }, faults.override);
  withoutMemory = await startBeside({ SEARCH_MEMORY: '0' });
});
afterAll(async () => {
  await withMemory.close();
  await withoutMemory.close();
  await shared.close();
});

test('200: equally good chunks are in the same order, whatever order the database has them in', async () => {
  const customer = await newCustomer(withMemory);
  const upload = (name: string) =>
    customer.upload('docs', { [name]: 'The same battery.' }, { chunkSize: 10 });
  // The file that was announced first gets its chunks last.
  const others = ['b.txt', 'c.txt', 'd.txt'];
  let held = false;
  faults.before('index.add', async () => {
    if (held) return;
    held = true;
    for (const name of others) expect((await upload(name)).status).toBe(200);
  });
  expect((await upload('a.txt')).status).toBe(200);

  for (const mode of ['keyword', 'hybrid']) {
    await expectSame(customer, { datasetId: 'docs', question: 'battery', mode, limit: 3 });
  }
});

test('200: chunks that have the words of a question in other numbers can be equally good', async () => {
  const customer = await newCustomer(withMemory);
  const words = ['alpha', 'bravo', 'candle', 'dragon', 'eagle'];
  const numbers = [
    [1, 2, 3, 5, 7],
    [7, 3, 1, 2, 5],
    [2, 1, 5, 7, 3],
    [5, 7, 2, 3, 1],
  ];
  const orders = numbers.flatMap((some) => some.map((_, at) => [...some.slice(at), ...some]));
  const files = orders.map((times, at) => {
    const text = words.flatMap((word, n) => Array.from({ length: times[n] ?? 0 }, () => word));
    return [`${at}.txt`, text.join(' ')];
  });
  expect((await customer.upload('docs', Object.fromEntries(files))).status).toBe(200);

  await expectSame(customer, {
    datasetId: 'docs',
    question: words.join(' '),
    mode: 'keyword',
    limit: 10,
  });
});

test('200: a large file that was just uploaded is searched by words and a filter sooner than it was indexed', async () => {
  const customer = await newCustomer(withoutMemory);
  const lines = Array.from({ length: 4_000 }, (_, at) => `# ${at}\n\nThe battery of ${at}.`);
  const start = performance.now();
  const stored = await customer.upload('large', { 'a.md': lines.join('\n\n') }, { chunkSize: 10 });
  expect(stored.status).toBe(200);
  const indexed = performance.now();

  const filters = [{ key: 'originalName', match: { value: 'a.md' } }];
  const body = { datasetId: 'large', question: 'battery', mode: 'keyword', filters };
  expect((await customer.rest('POST', '/search', body)).body.data).toHaveLength(8);
  expect(performance.now() - indexed).toBeLessThan(indexed - start);
});

/** Both gateways find the same, and as much as they can. */
async function expectSame(
  customer: Awaited<ReturnType<typeof newCustomer>>,
  body: { limit: number; [field: string]: unknown },
) {
  const read = createClient(withoutMemory, customer.apiKey);
  const { data } = (await read.rest('POST', '/search', body)).body;
  expect(data).toHaveLength(body.limit);
  await vi.waitFor(async () => {
    const before = await foundInMemory();
    const reply = await customer.rest('POST', '/search', body);
    expect(await foundInMemory()).toBeGreaterThan(before);
    expect(reply.body.data).toEqual(data);
  }, 10_000);
}

/** How many searches found their dataset in memory. */
async function foundInMemory(): Promise<number> {
  const reply = await createClient(withMemory, METRICS_TOKEN).raw('GET', '/metrics');
  const name = 'filequery_search_memory_lookups_total{result="found"}';
  return parseMetrics(await reply.text()).get(name) ?? 0;
}
