import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';
import { parseMetrics } from '../support/metrics.ts';

/* A gateway that has a dataset in memory finds the same as one that does not. */

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
    const body = { datasetId: 'docs', question: 'battery', mode, limit: 3 };
    const read = createClient(withoutMemory, customer.apiKey);
    const { data } = (await read.rest('POST', '/search', body)).body;
    expect(data).toHaveLength(3);
    await vi.waitFor(async () => {
      const before = await foundInMemory();
      const reply = await customer.rest('POST', '/search', body);
      expect(await foundInMemory()).toBeGreaterThan(before);
      expect(reply.body.data).toEqual(data);
    }, 10_000);
  }
});

/** How many searches found their dataset in memory. */
async function foundInMemory(): Promise<number> {
  const reply = await createClient(withMemory, METRICS_TOKEN).raw('GET', '/metrics');
  const name = 'filequery_search_memory_lookups_total{result="found"}';
  return parseMetrics(await reply.text()).get(name) ?? 0;
}
