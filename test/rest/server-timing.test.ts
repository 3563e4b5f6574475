import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

/* Every answer says in `Server-Timing` where its time went, and nothing else. */

let gateway: TestGateway;
let me: Client;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '100');
  await me.upload('docs', { 'fox.txt': 'The fox has a den in the wood.' });
});
afterAll(() => gateway.close());

const question = { datasetId: 'docs', question: 'What has the fox?' };
const ask = `mutation Ask($input: AskQuestionInput!) { answerQuestion(input: $input) { result } }`;
const asked = ['auth', 'rate', 'credits', 'dataset', 'embed', 'search', 'model', 'total'];

test.each([
  ['GET', '/v1/files?datasetId=docs', undefined, ['auth', 'rate', 'files', 'total']],
  ['POST', '/v1/search', question, asked.filter((step) => step !== 'model')],
  ['POST', '/v1/query', { ...question, stream: false }, asked],
  ['POST', '/v1/query', question, asked],
  ['POST', '/graphql', { query: ask, variables: { input: question } }, asked],
  ['GET', '/v1/files', undefined, ['auth', 'total']],
  ['GET', '/nothing', undefined, ['total']],
])('%s %s %j: %j', async (method, path, body, steps) => {
  expect(await stepsOf(me, method, path, body)).toEqual(steps);
});

test('GET /v1/files/:fileId: the file, and its signature', async () => {
  const { body } = await me.rest('GET', '/files?datasetId=docs');
  const path = `/v1/files/${body.files[0].fileId}?datasetId=docs`;
  expect(await stepsOf(me, 'GET', path)).toEqual(['auth', 'rate', 'files', 'sign', 'total']);
});

test('401 GET /v1/files without a credential: nothing was done', async () => {
  const nobody = createClient(gateway);
  expect(await stepsOf(nobody, 'GET', '/v1/files?datasetId=docs')).toEqual(['total']);
});

/** The names of the steps; each has its milliseconds, and the whole took at least as long. */
async function stepsOf(client: Client, method: string, path: string, body?: unknown) {
  const { headers } = await client.raw(method, path, body);
  const steps = (headers.get('server-timing') ?? '').split(', ').map((step) => {
    const [, name = '', ms] = /^([a-z]+);dur=(\d+\.\d\d)$/.exec(step) ?? [];
    return [name, Number(ms)] as const;
  });
  const [, total = Number.NaN] = steps.at(-1) ?? [];
  for (const [, ms] of steps) expect(ms).toBeLessThanOrEqual(total);
  return steps.map(([name]) => name);
}
