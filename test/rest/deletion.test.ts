import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClient, newCustomer, type Reply } from '../support/client.ts';
import { createDataset, type TestDataset } from '../support/dataset.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { STORAGE } from '../support/stored-copies.ts';
import { NO_TRACES, tracesOf, wholeFiles } from '../support/traces.ts';

let gateway: TestGateway;
/** A new one for every test: bulk deletion is for ten a minute. */
let customer: Client & { customerId: string };
/** Of its own for every test. */
let docs: TestDataset;
let tests = 0;

beforeAll(async () => {
  gateway = await shareGateway();
});
beforeEach(async () => {
  customer = await newCustomer(gateway);
  docs = createDataset(customer, `docs-${++tests}`);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const STEPS = ['index.remove', 'storage.remove', 'sql:DELETE FROM file'];
const traces = () => tracesOf(gateway, faults, docs.datasetId);

describe('DELETE /v1/files/:fileId', () => {
  test('200: everything of the file is gone, everything of the others stays', async () => {
    const [fox] = await docs.upload('fox.txt', 'hen.txt');
    const path = `/files/${fox.fileId}?datasetId=${docs.datasetId}`;
    const { permanentUrl } = (await customer.rest('GET', path)).body.file;
    const reply = await docs.remove(fox);
    expect(reply.status).toBe(200);
    expect(reply.body).toStrictEqual({ success: true });
    expect(await docs.listed()).toEqual(['hen.txt']);
    expect(await docs.found()).toEqual(['hen.txt']);
    expect((await customer.rest('GET', path)).status).toBe(404);
    expect((await gateway.download(permanentUrl)).ok).toBe(false);
    expect((await docs.remove(fox)).status).toBe(404);
    expect(await traces()).toEqual(wholeFiles(1));
  });

  test('200: embeddings by loaderId, then the stored copy, then the record', async () => {
    const [fox] = await docs.upload('fox.txt');
    const steps: string[] = [];
    const asked: unknown[] = [];
    for (const step of STEPS) {
      faults.before(step, (args) => {
        steps.push(step);
        asked.push(args);
      });
    }
    await docs.remove(fox);
    expect(steps).toEqual(STEPS);
    const [[, loaderKeys], [paths]] = asked as [[number, bigint[]], [string[]]];
    expect(loaderKeys.map((key) => key.toString(16).padStart(16, '0'))).toEqual([fox.loaderId]);
    expect(paths).toEqual([fox.filePath]);
  });

  // A folder signs without looking.
  test.runIf(STORAGE === 'supabase')(
    '404 for who reads the file meanwhile, once its copy is gone',
    async () => {
      const [fox] = await docs.upload('fox.txt');
      const path = `/files/${fox.fileId}?datasetId=${docs.datasetId}`;
      const meanwhile: Reply[] = [];
      faults.before('sql:DELETE FROM file', async () => {
        meanwhile.push(await customer.rest('GET', path));
      });
      await docs.remove(fox);
      expect(meanwhile).toMatchObject([{ status: 404, body: { error: 'File not found' } }]);
    },
  );

  test.each<[string, (id: string) => string, ((id: string) => object)?]>([
    ['in the query', (id) => `?datasetId=${id}`],
    ['in a JSON body', () => '', (datasetId) => ({ datasetId })],
    ['in both', (id) => `?datasetId=${id}`, (datasetId) => ({ datasetId })],
    ['in the query, beside an empty body', (id) => `?datasetId=${id}`, () => ({ datasetId: '' })],
    ['in the body, beside an empty query', () => '?datasetId=', (datasetId) => ({ datasetId })],
  ])('200 with datasetId %s', async (_, query, body) => {
    const [{ fileId }] = await docs.upload('fox.txt');
    const path = `/files/${fileId}${query(docs.datasetId)}`;
    const reply = await customer.rest('DELETE', path, body?.(docs.datasetId));
    expect(reply.body).toStrictEqual({ success: true });
    expect(await docs.listed()).toEqual([]);
  });

  test('400 with datasetId in a body that is not called JSON: it does not count', async () => {
    const [fox] = await docs.upload('fox.txt');
    const body = JSON.stringify({ datasetId: docs.datasetId });
    const headers = { 'content-type': 'text/plain' };
    const path = `/v1/files/${fox.fileId}`;
    expect((await customer.raw('DELETE', path, body, { headers })).status).toBe(400);
    expect(await docs.listed()).toEqual(['fox.txt']);
  });

  test('200 and 404 of one file five times at once: never 500, and nothing is left', async () => {
    const [fox] = await docs.upload('fox.txt', 'hen.txt');
    const replies = await Promise.all(Array.from({ length: 5 }, () => docs.remove(fox)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect(await traces()).toEqual(wholeFiles(1));
  });
});

describe('DELETE /v1/datasets/:datasetId/files', () => {
  test('200 with how many there were, and then with 0; the other datasets stay', async () => {
    const other = createDataset(customer, `${docs.datasetId}-other`);
    await docs.upload('fox.txt', 'hen.txt', 'owl.txt');
    await other.upload('elk.txt');
    const [first, second] = [await docs.purge(), await docs.purge()];
    expect(first.status).toBe(200);
    expect(first.body).toStrictEqual({ success: true, deleted: 3 });
    expect(second.body).toStrictEqual({ success: true, deleted: 0 });
    expect(await traces()).toEqual(NO_TRACES);
    expect(await other.found()).toEqual(['elk.txt']);
  });

  test('200 with 0 for a dataset that is not there', async () => {
    expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 0 });
  });

  test.each(['später 漢字', 'a/b', 'a%2Fb', '100%', '...', 'a?b#c', ' '])(
    '200 for the dataset %j',
    async (datasetId) => {
      const named = createDataset(customer, datasetId);
      await named.upload('fox.txt');
      expect((await named.purge()).body).toStrictEqual({ success: true, deleted: 1 });
    },
  );

  test('200 three times at once: every file is counted once', async () => {
    await docs.upload('fox.txt', 'hen.txt', 'owl.txt', 'elk.txt');
    const replies = await Promise.all([docs.purge(), docs.purge(), docs.purge()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.reduce((sum, { body }) => sum + body.deleted, 0)).toBe(4);
    expect(await traces()).toEqual(NO_TRACES);
  });

  test('200 for 1,200 files: several batches at the same time', async () => {
    await docs.upload('fox.txt');
    const { prisma } = faults.deps;
    const [first] = await prisma.file.findMany({ where: { datasetId: docs.datasetId } });
    if (!first) throw new Error('the file is not there');
    const { extraMeta: _, transcriptionSrt: __, ...record } = first;
    await prisma.file.createMany({
      data: Array.from({ length: 1199 }, (_, at) => ({
        ...record,
        id: crypto.randomUUID(),
        loaderKey: record.loaderKey - BigInt(at + 1),
        path: `${record.path}-${at}`,
      })),
    });
    let running = 0;
    const { promise: bothRun, resolve } = Promise.withResolvers<void>();
    // One alone would wait here for ever.
    faults.before('index.remove', () => {
      running += 1;
      if (running === 2) resolve();
      return bothRun;
    });
    expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 1200 });
    expect(await traces()).toEqual(NO_TRACES);
  });

  test('200: a file that is uploaded meanwhile stays whole', async () => {
    await docs.upload('fox.txt', 'hen.txt');
    faults.before('index.remove', async () => {
      faults.mend();
      await docs.upload('new.txt');
    });
    expect((await docs.purge()).body).toStrictEqual({ success: true, deleted: 2 });
    expect(await docs.listed()).toEqual(['new.txt']);
    expect(await docs.found()).toEqual(['new.txt']);
    expect(await traces()).toEqual(wholeFiles(1));
  });

  test('200: a file whose upload began before and ends after stays whole', async () => {
    await docs.upload('fox.txt');
    const purged: unknown[] = [];
    faults.before('storage.put', async () => {
      // Its chunks are added; its copy and its record are not there yet.
      await vi.waitFor(async () => expect(await traces()).toMatchObject({ chunks: 2, pending: 1 }));
      purged.push((await docs.purge()).body);
    });
    await docs.upload('new.txt');
    expect(purged).toEqual([{ success: true, deleted: 1 }]);
    expect(await docs.listed()).toEqual(['new.txt']);
    expect(await docs.found()).toEqual(['new.txt']);
    expect(await traces()).toMatchObject({ objects: 1, pending: 0 });
  });

  test('200 with a token for it, and with no other', async () => {
    await docs.upload('fox.txt');
    const { token } = await gateway.admin.createToken(customer.customerId, docs.datasetId);
    const { token: others } = await gateway.admin.createToken(customer.customerId, 'others');
    const path = `/datasets/${docs.datasetId}/files`;
    expect((await createClient(gateway, others).rest('DELETE', path)).status).toBe(403);
    expect(await docs.listed()).toEqual(['fox.txt']);
    const reply = await createClient(gateway, token).rest('DELETE', path);
    expect(reply.body).toStrictEqual({ success: true, deleted: 1 });
  });
});

describe('DELETE /v1/files', () => {
  test('200 with how many there were in all datasets of the customer; nobody else loses any', async () => {
    const other = createDataset(customer, `${docs.datasetId}-other`);
    const theirs = createDataset(await newCustomer(gateway), docs.datasetId);
    await docs.upload('fox.txt', 'hen.txt');
    await other.upload('owl.txt');
    await theirs.upload('elk.txt');
    const first = await customer.rest('DELETE', '/files');
    expect(first.status).toBe(200);
    expect(first.body).toStrictEqual({ success: true, deleted: 3 });
    expect([...(await docs.listed()), ...(await other.listed())]).toEqual([]);
    expect(await theirs.found()).toEqual(['elk.txt']);
    const second = await customer.rest('DELETE', '/files');
    expect(second.body).toStrictEqual({ success: true, deleted: 0 });
  });

  test('401 with a token, and nothing is deleted', async () => {
    await docs.upload('fox.txt');
    const { token } = await gateway.admin.createToken(customer.customerId, docs.datasetId);
    expect((await createClient(gateway, token).rest('DELETE', '/files')).status).toBe(401);
    expect(await docs.listed()).toEqual(['fox.txt']);
  });
});
