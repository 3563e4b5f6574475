import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { parseMetrics } from '../support/metrics.ts';

/* /metrics: what every request adds to it, and who may read it. */

const METRICS_TOKEN = 'a-token-of-the-scraper';
const faults = createFaults();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ METRICS_TOKEN, PRICE_QUERY: '0.25' }, faults.override);
});
afterAll(() => gateway.close());

const question = { datasetId: 'docs', question: 'What has the fox?', stream: false };
const ABORTED =
  'filequery_operation_duration_seconds_count{operation="answerQuestion",status="aborted"}';
const STREAMED = 'filequery_http_request_duration_seconds_count{route="/v1/query",status="200"}';
const NAMED = `query EvilName { viewer { customerId } files(datasetId: "docs") { totalCount } }`;

test('requests, operations, steps, models and credits are counted, by names of ours alone', async () => {
  const before = await scrape();
  const me = await newCustomer(gateway, '10');
  await me.upload('docs', { 'fox.txt': 'The fox has a den in the wood.' });
  await me.rest('POST', '/query', question);
  await me.rest('POST', '/query', { ...question, stream: true });
  await me.graphql(NAMED);
  await me.rest('GET', '/files/no-such-file?datasetId=docs');
  await createClient(gateway).rest('POST', '/query', question);
  await me.rest('GET', '/never/heard/of/EvilPath');
  await me.rest('DELETE', '/datasets/empty/files');
  faults.fail('index.search');
  await me.rest('POST', '/query', question);
  faults.mend();

  const after = await scrape();
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
  const operation = (name: string, status: string) =>
    grown(`filequery_operation_duration_seconds_count{operation="${name}",status="${status}"}`);
  expect({
    uploaded: operation('uploadFiles', '200'),
    answered: operation('answerQuestion', '200'),
    refused: operation('answerQuestion', '401'),
    failed: operation('answerQuestion', '500'),
    viewed: operation('describeViewer', '200'),
    paged: operation('pageFiles', '200'),
    missed: operation('getFile', '404'),
  }).toEqual({
    uploaded: 1,
    answered: 2,
    refused: 1,
    failed: 1,
    viewed: 1,
    paged: 1,
    missed: 1,
  });
  const request = (route: string, status: string) =>
    grown(`filequery_http_request_duration_seconds_count{route="${route}",status="${status}"}`);
  expect(request('/v1/files/:fileId', '404')).toBe(1);
  expect(request('/v1/query', '200')).toBe(2);
  expect(request('/graphql', '200')).toBe(1);
  expect(request('/*', '404')).toBe(1);
  expect(request('/v1/datasets/:datasetId/files', '200')).toBe(1);
  expect(grown('filequery_step_duration_seconds_count{step="embed"}')).toBe(3);
  expect(grown('filequery_step_duration_seconds_count{step="model"}')).toBe(2);
  expect(calls('embed-texts')).toBe(1);
  expect(calls('embed-question')).toBe(3);
  expect(grown('filequery_credits_charged_total{reason="query"}')).toBeCloseTo(0.75);
  expect(grown('filequery_credits_returned_total{reason="query"}')).toBeCloseTo(0.25);
  expect(grown('filequery_credits_charged_total{reason="upload"}')).toBe(1);

  const text = await (await ask(METRICS_TOKEN)).text();
  for (const secret of ['Evil', 'fox', me.customerId, me.apiKey, 'docs', METRICS_TOKEN]) {
    expect(text).not.toContain(secret);
  }

  function calls(call: string): number {
    const counted = [...after.keys()].filter(
      (series) =>
        series.startsWith('filequery_model_call_duration_seconds_count') &&
        series.includes(`call="${call}"`) &&
        series.includes('status="ok"'),
    );
    return counted.reduce((sum, series) => sum + grown(series), 0);
  }
});

test('a client that leaves in mid-stream: the request is over then, and its operation aborted', async () => {
  const me = await newCustomer(gateway, '10');
  await me.upload('docs', { 'fox.txt': 'The fox has a den in the wood.' });
  const before = await scrape();
  const ended = async () => {
    const after = await scrape();
    return [ABORTED, STREAMED].map(
      (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0),
    );
  };
  faults.answerWith(async function* (_, signal) {
    yield 'An answer of more than thirty characters, that goes on and on.';
    if (!signal.aborted) await once(signal, 'abort');
  });
  const { body } = await me.raw('POST', '/v1/query', { ...question, stream: true });
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  expect(await ended()).toEqual([0, 0]);
  await reader?.cancel();
  faults.mend();
  await expect.poll(ended).toEqual([1, 1]);
});

test('intents, the database pool, search memory and the process are measured', async () => {
  const levels = await scrape();
  expect(levels.get('filequery_intents{kind="file"}')).toBe(0);
  expect(levels.get('filequery_oldest_intent_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(levels.get('filequery_database_connections_max')).toBe(10);
  expect(levels.get('filequery_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect(levels.get('filequery_database_waiting')).toBe(0);
  expect(levels.get('filequery_search_memory_limit_bytes')).toBe(256e6);
  expect(levels.get('filequery_search_memory_bytes')).toBeLessThanOrEqual(256e6);
  expect(levels.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
});

test('an upload on its way is an intent, with its age', async () => {
  const me = await newCustomer(gateway);
  let during: Map<string, number> | undefined;
  faults.before('index.add', async () => {
    during = await scrape();
  });
  await me.upload('docs', { 'late.txt': 'A file on its way.' });
  faults.mend();
  expect(during?.get('filequery_intents{kind="file"}')).toBe(1);
});

test.each([
  ['no token', undefined],
  ['another token', 'a-token-of-the-scrapeR'],
  ['an API key', 'key'],
])('401 with %s', async (_, shown) => {
  const { apiKey } = await newCustomer(gateway);
  const response = await ask(shown === 'key' ? apiKey : shown);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.text()).not.toContain('filequery_');
});

test('the HEAD of a list of several pages is counted', async () => {
  const me = await newCustomer(gateway);
  const { prisma } = faults.deps;
  await prisma.$executeRaw`
    INSERT INTO dataset (customer_key, id, embedding_model)
    SELECT key, 'many', 'none' FROM customer WHERE id = ${me.customerId}`;
  await prisma.$executeRaw`
    INSERT INTO file (customer_key, id, dataset_id, loader_key, path, original_name, extension)
    SELECT key, gen_random_uuid(), 'many', number, 'none', 'fox.txt', 'txt'
    FROM customer, generate_series(1, 3001) AS number WHERE customer.id = ${me.customerId}`;
  const listed = /^filequery_operation_duration_seconds_count\{operation="listFiles"/;
  const count = async () =>
    [...(await scrape())].reduce((sum, [name, value]) => sum + (listed.test(name) ? value : 0), 0);
  const before = await count();
  expect((await me.raw('HEAD', '/v1/files?datasetId=many')).status).toBe(200);
  await expect.poll(count).toBe(before + 1);
});

async function scrape(): Promise<Map<string, number>> {
  const response = await ask(METRICS_TOKEN);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return parseMetrics(await response.text());
}

async function ask(token: string | undefined): Promise<Response> {
  return createClient(gateway, token).raw('GET', '/metrics');
}
