import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { createDataset, type TestDataset } from '../support/dataset.ts';
import { createFaults } from '../support/faults.ts';
import { startGateway, startOn, type TestGateway } from '../support/gateway.ts';
import { STORAGE } from '../support/stored-copies.ts';
import { NO_TRACES, tracesOf, unfinished, wholeFiles } from '../support/traces.ts';

const faults = createFaults();
let gateway: TestGateway;
/** A new one for every test: bulk deletion is for ten a minute. */
let customer: Client & { customerId: string };
/** Of its own for every test. */
let docs: TestDataset;
let tests = 0;

beforeAll(async () => {
  gateway = await startGateway({}, faults.override);
});
beforeEach(async () => {
  customer = await newCustomer(gateway);
  docs = createDataset(customer, `docs-${++tests}`);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const RECORDS = 'sql:DELETE FROM file';
const STEPS = ['index.remove', 'storage.remove', RECORDS];
const COUNTS = '{ datasets { nodes { fileCount } } }';
const traces = () => tracesOf(gateway, faults, docs.datasetId);

async function sweepAll() {
  const { prisma } = faults.deps;
  const where = unfinished(prisma);
  await prisma.pendingFile.updateMany({ where, data: { due: new Date(0) } });
  return gateway.maintenance.sweep();
}

describe('a step of a deletion that fails is logged, and the others go on', () => {
  test('200 when the embeddings stay: no search finds them, and they are swept later', async () => {
    const [fox] = await docs.upload('fox.txt', 'hen.txt');
    faults.fail('index.remove');
    const reply = await docs.remove(fox);
    expect(reply.body).toStrictEqual({ success: true });
    expect(faults.logged).toEqual(['removing embeddings failed']);
    expect(await docs.listed()).toEqual(['hen.txt']);
    expect(await docs.found()).toEqual(['hen.txt']);
    expect(await traces()).toMatchObject({ chunks: 2, objects: 1 });

    faults.mend();
    expect(await sweepAll()).toEqual({ removed: 1, failed: 0 });
    expect(await docs.found()).toEqual(['hen.txt']);
    expect(await traces()).toEqual(wholeFiles(1));
  });

  test('200 when the stored copy stays: it is swept as soon as it can be', async () => {
    const [fox] = await docs.upload('fox.txt');
    faults.fail('storage.remove');
    const reply = await docs.remove(fox);
    expect(reply.body).toStrictEqual({ success: true });
    expect(faults.logged).toEqual(['removing stored copies failed']);
    expect(await docs.listed()).toEqual([]);
    const left = { ...NO_TRACES, pending: 1, objects: 1 };
    expect(await traces()).toEqual(left);
    expect(await sweepAll()).toEqual({ removed: 0, failed: 1 });
    expect(await traces()).toEqual(left);
    // It waits for a while before it tries again.
    expect(await gateway.maintenance.sweep()).toEqual({ removed: 0, failed: 0 });

    faults.mend();
    expect(await sweepAll()).toEqual({ removed: 1, failed: 0 });
    expect(await traces()).toEqual(NO_TRACES);
  });

  test.each([
    ['the record stays', [RECORDS], ['removing records failed']],
    [
      'all fail',
      STEPS,
      ['removing embeddings failed', 'removing stored copies failed', 'removing records failed'],
    ],
  ])(
    '200 when %s: nobody is shown the file any more, and it is swept',
    async (_, steps, logged) => {
      const [fox] = await docs.upload('fox.txt', 'hen.txt');
      for (const step of steps) faults.fail(step);
      expect((await docs.remove(fox)).body).toStrictEqual({ success: true });
      expect(faults.logged).toEqual(logged);
      expect(await docs.listed()).toEqual(['hen.txt']);
      expect(await docs.found()).toEqual(['hen.txt']);
      expect((await docs.remove(fox)).status).toBe(404);
      const path = `/files/${fox.fileId}?datasetId=${docs.datasetId}`;
      expect((await customer.rest('GET', path)).status).toBe(404);
      const { data } = await customer.graphql(COUNTS);
      expect(data.datasets.nodes).toMatchObject([{ fileCount: 1 }]);
      expect(await traces()).toMatchObject({ records: 2, pending: 1 });

      faults.mend();
      expect(await sweepAll()).toEqual({ removed: 1, failed: 0 });
      expect(await traces()).toEqual(wholeFiles(1));
    },
  );

  test('503 when the intent cannot be written: the file is whole, and can be deleted again', async () => {
    const [fox] = await docs.upload('fox.txt');
    faults.before('sql:INSERT INTO pending_file', () => {
      throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
    });
    expect((await docs.remove(fox)).status).toBe(503);
    expect((await docs.purge()).status).toBe(503);
    expect(await docs.found()).toEqual(['fox.txt']);

    faults.mend();
    expect((await docs.remove(fox)).body).toStrictEqual({ success: true });
    expect(await traces()).toEqual(NO_TRACES);
  });

  test('200 when the database goes away behind the intents: all are counted, and none comes back', async () => {
    await docs.upload('fox.txt', 'hen.txt');
    faults.fail('sql:loader_key AS "loaderKey"');
    expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 2 });
    expect(faults.logged).toEqual(['a deletion is left to the sweeper']);
    expect(await docs.listed()).toEqual([]);
    expect(await docs.found()).toEqual([]);

    faults.mend();
    expect(await sweepAll()).toEqual({ removed: 2, failed: 0 });
    expect(await traces()).toEqual(NO_TRACES);
  });

  test.each([
    ['embeddings', 'index.remove'],
    ['stored copies', 'storage.remove'],
    ['records', RECORDS],
  ])(
    '200 DELETE /v1/datasets/:datasetId/files when %s stay: what will be gone is counted',
    async (what, step) => {
      await docs.upload('fox.txt', 'hen.txt', 'owl.txt');
      faults.fail(step);
      expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 3 });
      expect(faults.logged).toEqual([`removing ${what} failed`]);
      expect(await docs.listed()).toEqual([]);
      expect(await docs.found()).toEqual([]);

      faults.mend();
      expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 0 });
      await sweepAll();
      expect(await traces()).toEqual(NO_TRACES);
    },
  );

  // Supabase removes all copies of a call, or says that it failed.
  test.runIf(STORAGE === 'disk')(
    '200 DELETE /v1/datasets/:datasetId/files when one stored copy stays: the others are gone',
    async () => {
      const [fox] = await docs.upload('fox.txt', 'hen.txt', 'owl.txt');
      const copy = join(gateway.dataDir, 'objects', fox.filePath);
      await rm(copy);
      await mkdir(copy);
      expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 3 });
      expect(faults.logged).toEqual(['removing stored copies failed']);
      expect(await traces()).toEqual({ ...NO_TRACES, pending: 1 });

      await rmdir(copy);
      expect(await sweepAll()).toEqual({ removed: 1, failed: 0 });
      expect(await traces()).toEqual(NO_TRACES);
    },
  );

  test('200 DELETE /v1/files when the records of some files stay: those of the others are gone', async () => {
    const other = createDataset(customer, `${docs.datasetId}-other`);
    await docs.upload('fox.txt', 'hen.txt');
    await other.upload('owl.txt', 'elk.txt');
    faults.fail(RECORDS);
    expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 2 });
    faults.mend();
    const { status, body } = await customer.rest('DELETE', '/files');
    expect(status).toBe(200);
    expect(body).toStrictEqual({ success: true, deleted: 2 });
    expect([...(await docs.listed()), ...(await other.listed())]).toEqual([]);
    await sweepAll();
    expect(await traces()).toEqual(NO_TRACES);
  });
});

test('a gateway that stops leaves the rest of its sweep to another', async () => {
  const { prisma } = faults.deps;
  await prisma.$executeRaw`
    INSERT INTO pending_file (customer_key, loader_key, path, due)
    SELECT key, number, 'customers/none/' || number, now()
    FROM customer, generate_series(1, 1200) AS number WHERE id = ${customer.customerId}`;
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const other = await startOn(gateway, {}, (deps) => ({
    ...deps,
    storage: {
      ...deps.storage,
      async remove(paths) {
        begun.resolve();
        await goOn.promise;
        return deps.storage.remove(paths);
      },
    },
  }));
  await begun.promise;
  const closed = other.close();
  goOn.resolve();
  await closed;
  expect(await gateway.maintenance.sweep()).toEqual({ removed: 700, failed: 0 });
});
