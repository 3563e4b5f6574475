import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import type { Call } from '../src/core/call.ts';
import { createRequestRecord } from '../src/core/request-record.ts';
import type { EmbeddingModel } from '../src/ports/language-model.ts';
import { createLog } from '../src/runtime/log.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { createUseCases } from '../src/use-cases/index.ts';
import { createMaintenance } from '../src/use-cases/maintenance/create-maintenance.ts';
import { audit } from './support/audit.ts';
import { type Client, newCustomer } from './support/client.ts';
import { createDataset, type TestDataset } from './support/dataset.ts';
import { createFaults } from './support/faults.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

/* Another model embeds anew what a running gateway goes on searching. */

const OTHER = 'another model';

const faults = createFaults();
let gateway: TestGateway;
let client: Client & { customerId: string };
let docs: TestDataset;
/** Which model the gateway has. */
let present: 'first' | 'other';

beforeAll(async () => {
  gateway = await startGateway({}, (deps) => {
    const models = { first: deps.embeddings, other: otherModel(deps.embeddings) };
    const embeddings = new Proxy(deps.embeddings, {
      get: (_, member) => Reflect.get(models[present], member),
    });
    return faults.override({ ...deps, embeddings });
  });
});
afterAll(() => gateway.close());

beforeEach(async () => {
  present = 'first';
  client = await newCustomer(gateway);
  docs = createDataset(client, 'docs');
});
afterEach(async () => {
  faults.mend();
  expect(await audit(gateway)).toEqual({});
});

it('searches find the same before, during and after; then the old model is refused', async () => {
  await docs.upload('a.txt', 'b.txt');
  const { reindex, theirs, close } = await beside();
  const seen: string[][] = [];
  theirs.before('embeddings.embedTexts', async () => {
    seen.push(await docs.found());
  });
  const progress: number[][] = [];
  const done = await reindex({}, (_, ...chunks) => progress.push(chunks));
  await close();

  expect(done).toEqual({ datasets: 1, chunks: 2 });
  expect(progress.at(0)).toEqual([0, 2]);
  expect(progress.at(-1)).toEqual([2, 2]);
  expect(seen).toEqual([['a.txt', 'b.txt']]);
  const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
  expect(await client.rest('POST', '/search', asked)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(OTHER) },
  });
  present = 'other';
  expect(await docs.found()).toEqual(['a.txt', 'b.txt']);
});

it.each(['/search', '/query'])(
  '%s is refused when the switch came while its question was embedded',
  async (path) => {
    await docs.upload('a.txt', 'b.txt');
    const { reindex, close } = await beside();
    faults.before('embeddings.embedQuestion', () => reindex({}, () => {}));
    const asked = { datasetId: 'docs', question: 'Is the fox quick?', stream: false };
    const refused = await client.rest('POST', path, asked);
    await close();
    expect(refused).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining(OTHER) },
    });
  },
);

it('what is uploaded and removed meanwhile is there, and is gone, afterwards', async () => {
  const [first] = await docs.upload('a.txt', 'b.txt', 'c.txt');
  const { reindex, theirs, close } = await beside();
  const steps = [() => docs.upload('d.txt'), () => docs.remove(first), () => docs.upload('e.txt')];
  theirs.before('embeddings.embedTexts', () => steps.shift()?.());
  theirs.before('index.add', () => steps.shift()?.());
  await reindex({}, () => {});
  await close();

  expect(steps).toEqual([]);
  present = 'other';
  expect(await docs.found()).toEqual(['b.txt', 'c.txt', 'd.txt', 'e.txt']);
  expect(await docs.listed()).toEqual(['b.txt', 'c.txt', 'd.txt', 'e.txt']);
});

it('what ended half-way goes on where it was', async () => {
  const sentences = Array.from({ length: 300 }, (_, at) => `The fox number ${at} is quick.`);
  await client.upload(
    'docs',
    { 'foxes.txt': sentences.join('\n\n') },
    { chunkSize: 10, chunkOverlap: 0 },
  );
  const { reindex, theirs, close } = await beside();
  const embedded: number[] = [];
  theirs.before('embeddings.embedTexts', ([texts]) => {
    if (embedded.length === 1) throw new Error('the model went away');
    embedded.push((texts as string[]).length);
  });
  // The batch that was embedded is not added yet when another fails.
  theirs.before('index.add', () => setTimeout(200));
  await expect(reindex({}, () => {})).rejects.toThrow('the model went away');
  expect(await docs.found()).toHaveLength(50);

  theirs.mend();
  theirs.before('embeddings.embedTexts', ([texts]) => {
    embedded.push((texts as string[]).length);
  });
  const progress: number[][] = [];
  await reindex({}, (_, ...chunks) => progress.push(chunks));
  await close();
  // Batches run at the same time: which is first is not said.
  expect(embedded.toSorted((a, b) => b - a)).toEqual([128, 128, 44]);
  const left = 300 - (embedded[0] ?? 0);
  expect(progress.at(-1)).toEqual([left, left]);
  present = 'other';
  expect(await docs.found()).toHaveLength(50);
});

it('an upload that is overtaken by the switch is refused whole', async () => {
  await docs.upload('a.txt');
  const { reindex, close } = await beside();
  faults.before('index.add', () => reindex({}, () => {}));
  const refused = await client.upload('docs', { 'b.txt': 'The fox is late.' });
  await close();
  expect(refused).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(OTHER) },
  });
  present = 'other';
  expect(await docs.found()).toEqual(['a.txt']);
  expect(await docs.listed()).toEqual(['a.txt']);
});

it('of two gateways with different models, one gets the new dataset', async () => {
  const { useCases, close } = await beside();
  faults.before('index.add', async () => {
    // The chunks of the first are not there yet: to the second the dataset is empty.
    faults.mend();
    await useCases.uploadFiles(await callOf(client), { datasetId: 'docs', files: [letter] });
  });
  const refused = await client.upload('docs', { 'a.txt': 'The fox is quick.' });
  await close();
  expect(refused).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(OTHER) },
  });
  present = 'other';
  expect(await docs.listed()).toEqual(['letter.txt']);
  expect(await docs.found()).toEqual(['letter.txt']);
});

it('only the dataset that is named; none by that name is an error', async () => {
  await docs.upload('a.txt');
  const another = await newCustomer(gateway);
  await createDataset(another, 'docs').upload('theirs.txt');
  await createDataset(client, 'more').upload('more.txt');
  const { reindex, close } = await beside();
  await expect(reindex({ datasetId: 'no such' }, () => {})).rejects.toThrow(
    'there is no dataset no such',
  );
  expect(await reindex({ customer: another.customerId, datasetId: 'docs' }, () => {})).toEqual({
    datasets: 1,
    chunks: 1,
  });
  expect(await docs.found()).toEqual(['a.txt']);
  expect(await reindex({ datasetId: 'docs' }, () => {})).toEqual({ datasets: 1, chunks: 1 });
  expect(await reindex({ datasetId: 'docs' }, () => {})).toEqual({ datasets: 0, chunks: 0 });
  await close();
});

/** The command line with another model, beside the gateway. */
async function beside() {
  const theirs = createFaults();
  const config = readConfig({ PUBLIC_URL: 'http://filequery.test', ...gateway.settings });
  const runtime = createRuntime(config, createLog('silent'), { role: 'operator' });
  const given = await runtime.dependencies();
  const deps = theirs.override({ ...given, embeddings: otherModel(given.embeddings) });
  const useCases = createUseCases(deps);
  const { reindex } = createMaintenance(deps);
  return {
    reindex,
    useCases,
    theirs,
    async close() {
      await useCases.settle();
      await runtime.close();
    },
  };
}

const letter = {
  originalName: 'letter.txt',
  mimeType: 'text/plain',
  ...{ size: 627, path: 'test/fixtures/documents/letter.txt', contentHash: '0'.repeat(64) },
};

/** What a transport would hand over. */
async function callOf({ customerId }: { customerId: string }): Promise<Call> {
  const { key: customerKey } = await faults.deps.prisma.customer.findUniqueOrThrow({
    where: { id: customerId },
  });
  return {
    principal: { kind: 'api-key', keyId: 'none', customerKey, customerId },
    requestId: 'two models',
    signal: new AbortController().signal,
    recheck: async () => {},
    record: createRequestRecord(),
  };
}

/** A model that knows the same and says it otherwise. */
function otherModel(model: EmbeddingModel): EmbeddingModel {
  return {
    name: OTHER,
    embedQuestion: async (...question) => (await model.embedQuestion(...question)).toReversed(),
    embedTexts: async (...texts) =>
      (await model.embedTexts(...texts)).map((vector) => vector.toReversed()),
    check: () => model.check(),
  };
}
