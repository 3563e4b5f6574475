import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, newCustomer } from './support/client.ts';
import { createCuts } from './support/cuts.ts';
import { createDataset, type TestDataset } from './support/dataset.ts';
import { createFaults } from './support/faults.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { startUpload } from './support/graphql.ts';
import { objectsOf } from './support/storages.ts';
import { type SupabaseDouble, startSupabaseDouble } from './support/supabase-double.ts';

/* A storage that finishes writes which nobody waits for any more, and replies that are lost. */

const faults = createFaults();
const cuts = createCuts();
let double: SupabaseDouble;
let gateway: TestGateway;
let customer: Client;
let docs: TestDataset;

beforeAll(async () => {
  double = await startSupabaseDouble();
  const settings = { SUPABASE_URL: double.url, SUPABASE_SECRET_KEY: double.secretKey };
  gateway = await startGateway(settings, (deps) => cuts.override(faults.override(deps)));
});
beforeEach(async () => {
  customer = await newCustomer(gateway);
  docs = createDataset(customer, 'docs');
});
afterEach(async () => {
  faults.mend();
  double.beforeStore(async () => {});
  double.faults.clear();
});
afterAll(async () => {
  cuts.restore();
  await gateway.close();
  await double.close();
});

test('a copy that is stored after its upload failed is removed by a second look', async () => {
  const store = holdStores();
  faults.before('embeddings.embedTexts', () => bodyArrived.then(breakOnPurpose));
  expect((await customer.upload('docs', { 'fox.txt': 'The fox.' })).status).toBe(500);
  await expectStoredLate(store);
});

test('a copy that is stored after its client went away is removed by a second look', async () => {
  const store = holdStores();
  const gone = new AbortController();
  faults.before('embeddings.embedTexts', () => bodyArrived.then(() => gone.abort()));
  const form = new FormData();
  form.set('datasetId', 'docs');
  form.append('file', new Blob(['The fox.']), 'fox.txt');
  await customer.raw('POST', '/v1/files/upload', form, { signal: gone.signal });
  await expectStoredLate(store);
});

test('a copy that a first attempt stores after its file was deleted is removed by a second look', async () => {
  double.faults.set('upload', 'answer lost', 1);
  const [fox] = await docs.upload('fox.txt');
  const [bucket] = double.buckets.values();
  const late = bucket?.objects.get(fox.filePath);
  expect((await docs.remove(fox)).status).toBe(200);
  expect(objectsOf(double)).toEqual([]);
  if (late) bucket?.objects.set(fox.filePath, late);
  await expectSecondLook();
});

test.each(['not done', 'reply lost'] as const)(
  'an upload whose COMMIT is cut (%s) is there whole, or not at all',
  async (cut) => {
    cuts.begin({ cut, where: /^COMMIT/ });
    const { status, body } = await customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
    expect(cuts.end().filter((effect) => /^COMMIT/.test(effect))).toHaveLength(1);
    const done = cut === 'reply lost';
    expect(status).toBe(done ? 200 : 503);
    if (done) expect(body.files).toMatchObject([{ originalName: 'fox.txt' }]);
    expect(await docs.listed()).toEqual(done ? ['fox.txt'] : []);
    expect(await docs.found()).toEqual(done ? ['fox.txt'] : []);
    expect(objectsOf(double)).toHaveLength(done ? 1 : 0);
  },
);

test('an asynchronous upload stays that is published before it is known that it was recorded', async () => {
  const record = 'done_count AS "doneCount"';
  faults.before(`sql:${record}`, async () => {
    faults.mend();
    cuts.end();
    // Wakes the worker, which takes the oldest first.
    await startUpload(customer, 'other', { 'dog.txt': 'The dog is lazy.' });
    await expect.poll(docs.listed).toEqual(['fox.txt']);
    breakOnPurpose();
  });
  cuts.begin({ cut: 'reply lost', where: /^COMMIT/ });
  const { data, errors } = await startUpload(customer, 'docs', { 'fox.txt': 'The fox is quick.' });
  expect(errors).toEqual([]);
  expect(data.startUpload.ingestion.ingestionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await docs.listed()).toEqual(['fox.txt']);
  expect(await docs.found()).toEqual(['fox.txt']);
  const other = createDataset(customer, 'other');
  await expect.poll(other.listed).toEqual(['dog.txt']);
});

/** The storage has it all, and stores it when nobody waits for that. */
async function expectStoredLate(store: () => void): Promise<void> {
  expect(objectsOf(double)).toEqual([]);
  store();
  await expect.poll(() => objectsOf(double), { timeout: 5000 }).toHaveLength(1);
  expect(await docs.listed()).toEqual([]);
  await expectSecondLook();
}

/** Sweeps do nothing until it is time; then nothing is left. */
async function expectSecondLook(): Promise<void> {
  const { prisma } = faults.deps;
  expect(await gateway.maintenance.sweep()).toEqual({ removed: 0, failed: 0 });
  const now = new Date();
  await prisma.pendingFile.updateMany({ data: { due: now, keepUntil: now } });
  expect(await gateway.maintenance.sweep()).toEqual({ removed: 1, failed: 0 });
  expect(objectsOf(double)).toEqual([]);
  expect(await prisma.pendingFile.count()).toBe(0);
}

let { promise: bodyArrived, resolve: arrive } = Promise.withResolvers<void>();

/** Uploads arrive, and are stored when the function that is returned is called. */
function holdStores(): () => void {
  ({ promise: bodyArrived, resolve: arrive } = Promise.withResolvers<void>());
  const { promise: released, resolve } = Promise.withResolvers<void>();
  double.beforeStore(() => {
    arrive();
    return released;
  });
  return resolve;
}

function breakOnPurpose(): never {
  throw new Error('broken on purpose');
}
