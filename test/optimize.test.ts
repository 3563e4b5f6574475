import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assemble } from '../src/backstage.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { newCustomer } from './support/client.ts';
import { createDataset, type TestDataset } from './support/dataset.ts';
import { createFaults } from './support/faults.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

/* Graphs of datasets, built beside a running gateway. */

const faults = createFaults();
let gateway: TestGateway;
let client: Awaited<ReturnType<typeof newCustomer>>;
let docs: TestDataset;

beforeAll(async () => {
  gateway = await startGateway({}, faults.refit);
});
afterAll(() => gateway.close());

beforeEach(async () => {
  client = await newCustomer(gateway);
  docs = createDataset(client, 'docs');
  await docs.upload('a.txt', 'b.txt', 'c.txt');
});

it('a large dataset has a graph, which searches go along and what is uploaded is in', async () => {
  await pretendLarge();
  const { admin, close } = await beside();
  const optimized = await admin.optimize(client.customerId, 'docs');
  expect(optimized).toMatchObject({ datasetId: 'docs', chunks: 25_000, questions: 3, recall: 1 });
  expect(await graphs()).toHaveLength(1);
  await docs.upload('d.txt');
  expect(await docs.found()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);

  await admin.undoOptimize(client.customerId, 'docs');
  await close();
  expect(await graphs()).toEqual([]);
  expect(await docs.found()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
});

it('a dataset that is embedded anew has a graph of its new chunks, and none of the old', async () => {
  await pretendLarge();
  const { admin, close } = await beside();
  await admin.optimize(client.customerId, 'docs');
  const before = await graphs();
  await faults.deps.prisma.dataset.updateMany({ data: { embeddingModel: 'a former model' } });
  await admin.reindex({ whose: client.customerId, datasetId: 'docs' }, () => {});
  const after = await graphs();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(await docs.found()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  await admin.undoOptimize(client.customerId, 'docs');
  await close();
  expect(await graphs()).toEqual([]);
});

it('a small dataset is refused, and one that is not there', async () => {
  const { admin, close } = await beside();
  await expect(admin.optimize(client.customerId, 'docs')).rejects.toThrow(
    'docs has 3 chunks: below 20000 a graph is of no use',
  );
  for (const attempt of [admin.optimize, admin.undoOptimize]) {
    await expect(attempt(client.customerId, 'none')).rejects.toThrow('there is no dataset none');
    await expect(attempt('nobody', 'docs')).rejects.toThrow('there is no customer nobody');
  }
  await close();
});

it('searches go on without a graph that cannot be built', async () => {
  await pretendLarge();
  const { admin, theirs, close } = await beside();
  theirs.fail('index.buildGraph');
  await expect(admin.optimize(client.customerId, 'docs')).rejects.toThrow('broken on purpose');
  await close();
  expect(await graphs()).toEqual([]);
  expect(await docs.found()).toEqual(['a.txt', 'b.txt', 'c.txt']);
});

/** The count steers the search; what is found must not depend on it. */
async function pretendLarge() {
  await faults.deps.prisma.dataset.updateMany({
    where: { id: 'docs', customer: { id: client.customerId } },
    data: { chunkCount: 25_000 },
  });
}

function graphs() {
  return faults.deps.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class WHERE relname LIKE 'chunk_graph%'`,
    values: [],
  });
}

/** The command line, beside the gateway. */
async function beside() {
  const theirs = createFaults();
  const config = readConfig({ PUBLIC_URL: 'http://filequery.test', ...gateway.settings });
  const { admin, close } = await assemble(config, createLog('silent'), {
    share: true,
    refit: theirs.refit,
  });
  return { admin, theirs, close };
}
