import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { type CollectedSpan, startCollector } from '../support/collector.ts';
import { startBeside, startGateway } from '../support/gateway.ts';
import { KEY, startOpenAiDouble } from '../support/openai-double.ts';
import { startSupabaseDouble } from '../support/supabase-double.ts';

/*
 * One gateway is asked in every way, each time with a trace of its own, and closed, which sends
 * what is not sent yet. Then the tests look at what the collector, the models and the storage got.
 */

const PARENT_ID = '00f067aa0ba902b7';
const TRACES = {
  '/v1/query': '1'.repeat(32),
  '/v1/query as a stream': '2'.repeat(32),
  '/graphql': '3'.repeat(32),
  upload: '4'.repeat(32),
  failing: '5'.repeat(32),
  unsampled: '6'.repeat(32),
} as const;

const question = { datasetId: 'docs', question: 'What has the fox of the question?' };
const SUBSCRIPTION = `subscription Named($input: AskQuestionInput!) {
  askQuestion(input: $input) { __typename } }`;

let collector: Awaited<ReturnType<typeof startCollector>>;
let asked: Awaited<ReturnType<typeof startOpenAiDouble>>['requests'];
let stored: Awaited<ReturnType<typeof startSupabaseDouble>>['calls'];
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  const doubles = await Promise.all([startOpenAiDouble(), startSupabaseDouble(), startCollector()]);
  const [models, storage] = doubles;
  collector = doubles[2];
  ({ requests: asked } = models);
  ({ calls: stored } = storage);
  const gateway = await startGateway({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20ours,team=files',
    OTEL_SERVICE_NAME: 'answers',
    OPENAI_BASE_URL: models.url,
    OPENAI_API_KEY: KEY,
    SUPABASE_URL: storage.url,
    SUPABASE_SECRET_KEY: storage.secretKey,
  });
  me = await newCustomer(gateway);

  const form = new FormData();
  form.set('datasetId', 'docs');
  form.append('file', new Blob(['The fox has a den in the hidden wood.']), 'secret-name.txt');
  await ask(me, '/v1/files/upload', 'upload', form);
  await ask(me, '/v1/query', '/v1/query', { ...question, stream: false });
  await ask(me, '/v1/query', '/v1/query as a stream', question);
  await ask(me, '/graphql', '/graphql', { query: SUBSCRIPTION, variables: { input: question } });
  models.fail('chat', { status: 400 }, 10);
  await ask(me, '/v1/query', 'failing', { ...question, stream: false }, 500);
  await ask(me, '/v1/search', 'unsampled', question);
  await me.rest('GET', '/files?datasetId=docs');
  await gateway.close();
  await Promise.all([models.close(), storage.close()]);
});
afterAll(() => collector.close());

test.each([
  ['/v1/query', '/v1/query'],
  ['/v1/query as a stream', '/v1/query'],
  ['/graphql', '/graphql'],
] as const)('%s continues the trace of its traceparent, down to the models', (name, route) => {
  const spans = spansOf(name);
  const request = spanOf(name, `POST ${route}`);
  expect(request).toMatchObject({ parentSpanId: PARENT_ID, kind: 2 });
  expect(attributesOf(request)).toMatchObject({
    'http.route': route,
    'http.response.status_code': 200,
    'filequery.customer_id': me.customerId,
  });
  const operation = spanOf(name, 'answerQuestion');
  expect(operation.parentSpanId).toBe(request.spanId);
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === operation.spanId);
  expect(parts.map((span) => span.name).sort()).toEqual([
    'answer',
    'credits',
    'dataset',
    'embed',
    'model',
    'rate',
    'search',
  ]);
  const embedding = spanOf(name, 'embed-question');
  expect(embedding).toMatchObject({ parentSpanId: spanOf(name, 'embed').spanId, kind: 3 });
  expect(attributesOf(embedding)['gen_ai.request.model']).toBe('text-embedding-3-small');
  expect(handedOn(asked, TRACES[name])).toEqual([
    `00-${TRACES[name]}-${embedding.spanId}-01`,
    `00-${TRACES[name]}-${spanOf(name, 'answer').spanId}-01`,
  ]);
});

test('the storage is told the trace of an upload', () => {
  const operation = spanOf('upload', 'uploadFiles');
  expect(handedOn(stored, TRACES.upload)).toContain(`00-${TRACES.upload}-${operation.spanId}-01`);
});

test('what fails is marked', () => {
  const failed = spansOf('failing').filter(({ status }) => status.code === 2);
  expect(failed.map(({ name }) => name).sort()).toEqual(
    ['POST /v1/query', 'answer', 'answerQuestion', 'model'].sort(),
  );
});

test('a trace that its caller does not keep is not sent, but handed on', () => {
  expect(spansOf('unsampled')).toEqual([]);
  const [traceparent] = handedOn(asked, TRACES.unsampled);
  expect(traceparent).toMatch(new RegExp(`^00-${TRACES.unsampled}-[0-9a-f]{16}-00$`));
});

test('a request without a traceparent begins a trace', () => {
  const request = collector.spans().find(({ name }) => name === 'GET /v1/files');
  expect(request?.parentSpanId).toBeFalsy();
  expect(request?.traceId).toMatch(/^[0-9a-f]{32}$/);
});

test('the collector gets its headers, the name of the service, and no text of anybody', () => {
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'api-key': 'of ours', team: 'files' },
  });
  expect(collector.resources().map(attributesOf)).toContainEqual({ 'service.name': 'answers' });
  const sent = collector.requests.map(({ body }) => body).join();
  for (const secret of [me.apiKey, KEY, 'fox', 'secret-name', 'hidden', 'Named', 'docs']) {
    expect(sent).not.toContain(secret);
  }
});

test('a collector that is away harms nobody', async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:1';
  const gateway = await startBeside({ OTEL_EXPORTER_OTLP_ENDPOINT });
  const { status } = await (await newCustomer(gateway)).rest('GET', '/files?datasetId=docs');
  expect(status).toBe(200);
  await gateway.close();
});

async function ask(
  client: Client,
  path: string,
  name: keyof typeof TRACES,
  body: unknown,
  expected = 200,
): Promise<void> {
  const sampled = name === 'unsampled' ? '00' : '01';
  const response = await client.raw('POST', path, body, {
    headers: {
      traceparent: `00-${TRACES[name]}-${PARENT_ID}-${sampled}`,
      accept: path === '/graphql' ? 'text/event-stream' : '*/*',
    },
  });
  await response.text();
  expect(response.status).toBe(expected);
}

function spansOf(name: keyof typeof TRACES): CollectedSpan[] {
  return collector.spans().filter(({ traceId }) => traceId === TRACES[name]);
}

function spanOf(name: keyof typeof TRACES, span: string): CollectedSpan {
  const found = spansOf(name).find((one) => one.name === span);
  if (!found) throw new Error(`no span ${span} of ${name}`);
  return found;
}

/** The headers by which requests told that they belong to a trace. */
function handedOn(
  requests: { headers: NodeJS.Dict<string | string[]> }[],
  traceId: string,
): unknown[] {
  return requests
    .map(({ headers }) => headers['traceparent'])
    .filter((header) => header?.includes(traceId));
}

function attributesOf(of: Pick<CollectedSpan, 'attributes'>) {
  return Object.fromEntries(
    of.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );
}
