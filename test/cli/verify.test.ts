import { mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { ask } from '../support/databases.ts';
import { createDataset, type TestDataset, type UploadedFile } from '../support/dataset.ts';
import { createFilequery, type Filequery } from '../support/filequery.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

/* What does not agree is found, and mended where that is possible, beside a running gateway. */

let gateway: TestGateway;
let filequery: Filequery;
let customer: Client & { customerId: string };
let docs: TestDataset;
let fox: UploadedFile;

beforeAll(async () => {
  gateway = await startGateway();
  filequery = createFilequery(gateway.dataDir, gateway.settings);
});
beforeEach(async () => {
  customer = await newCustomer(gateway, '30');
  docs = createDataset(customer, 'docs');
  [fox] = await docs.upload('fox.txt', 'hen.txt');
});
afterAll(() => gateway.close());

const sql = (text: string) => ask(gateway.connection, text);
const verify = (options = {}) => gateway.maintenance.verify(options);
const ofCustomer = () =>
  `customer_key = (SELECT key FROM customer WHERE id = '${customer.customerId}')`;
const loaderKeyOf = ({ loaderId }: UploadedFile) => BigInt(`0x${loaderId}`);
const objectOf = ({ filePath }: { filePath: string }) => join(gateway.dataDir, 'objects', filePath);
const hourAgo = new Date(Date.now() - 60 * 60_000);

it('finds nothing where all agrees', async () => {
  expect(await verify()).toMatchObject({ found: 0, repaired: 0, drifts: [] });
});

it('tells by its exit code, its text and its JSON', async () => {
  expect((await filequery.told('verify')).trim()).toMatch(
    /^Everything agrees\.\n0 inconsistencies among \d+ /,
  );
  await sql(`UPDATE dataset SET chunk_count = 7 WHERE ${ofCustomer()}`);
  const { code, stdout } = await filequery.run('verify', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { found: 1, drifts: [{ kind: 'wrong count of chunks', what: '7 counted, 2 there' }] },
  ]);
  expect(await filequery.json('verify', '--repair')).toMatchObject({ found: 1, repaired: 1 });
  expect(await filequery.json('verify')).toMatchObject({ found: 0 });
}, 60_000);

describe('repairs', () => {
  const old = { filePath: 'customers/c/datasets/docs/stray.txt' };
  it.each<[string, () => Promise<unknown>, object]>([
    [
      'a wrong balance: the ledger is what counts',
      () => sql(`UPDATE balance SET credits = 3 WHERE ${ofCustomer()}`),
      { kind: 'wrong balance', what: '3 left, 28 by the ledger' },
    ],
    [
      'chunks without a file',
      async () => {
        await sql(`DELETE FROM file WHERE loader_key = ${loaderKeyOf(fox)}`);
        await rm(objectOf(fox));
      },
      { kind: 'chunks without a file', datasetId: 'docs' },
    ],
    [
      'a stored copy without a file',
      async () => {
        old.filePath = fox.filePath.replace(fox.fileId, crypto.randomUUID());
        await mkdir(dirname(objectOf(old)), { recursive: true });
        await writeFile(objectOf(old), 'stray');
        await utimes(objectOf(old), hourAgo, hourAgo);
      },
      { kind: 'stored copy without a file', datasetId: 'docs' },
    ],
    [
      'an open charge that was not booked',
      () =>
        sql(`INSERT INTO pending_charge (customer_key, id, due)
          SELECT key, gen_random_uuid(), now() FROM customer WHERE id = '${customer.customerId}'`),
      { kind: 'open charge that was not booked' },
    ],
  ])('%s', async (_, breakIt, drift) => {
    await breakIt();
    expect(await verify()).toMatchObject({ found: 1, repaired: 0, drifts: [drift] });
    const found = await verify({ repair: true });
    expect(found).toMatchObject({ found: 1, repaired: 1, drifts: [{ ...drift, repaired: true }] });
    expect(await verify()).toMatchObject({ found: 0 });
  });
});

describe('tells, and cannot mend,', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'a file without chunks',
      async () => {
        await sql(`DELETE FROM chunk WHERE loader_key = ${loaderKeyOf(fox)}`);
        await verify({ repair: true });
      },
      'file without chunks',
    ],
    [
      'a file without a stored copy',
      async () => {
        await rm(objectOf(fox));
        await sql(`UPDATE file SET created = now() - interval '1 hour' WHERE ${ofCustomer()}`);
      },
      'file without a stored copy',
    ],
    [
      'a file whose stored copy was cut off',
      async () => {
        await truncate(objectOf(fox), 3);
        await sql(`UPDATE file SET created = now() - interval '1 hour' WHERE ${ofCustomer()}`);
      },
      'file with a stored copy of another size',
    ],
  ])('%s', async (_, breakIt, kind) => {
    await breakIt();
    const found = await verify({ repair: true });
    expect(found).toMatchObject({ found: 1, repaired: 0, drifts: [{ kind, what: fox.fileId }] });
    await docs.remove(fox);
    expect(await verify()).toMatchObject({ found: 0 });
  });
});

it('finds nothing wrong in what is on its way', async () => {
  await sql(`INSERT INTO pending_file (customer_key, loader_key, path, due)
    SELECT customer_key, loader_key, path, now() + interval '1 hour' FROM file
    WHERE loader_key = ${loaderKeyOf(fox)}`);
  await utimes(objectOf(fox), hourAgo, hourAgo);
  await sql(`DELETE FROM file WHERE loader_key = ${loaderKeyOf(fox)}`);
  expect(await verify()).toMatchObject({ found: 0 });
  const { intents } = await filequery.json('doctor');
  expect(intents).toEqual({ files: 1, charges: 0, oldestSeconds: expect.any(Number) });
  await sql('UPDATE pending_file SET due = now()');
  await gateway.maintenance.sweep();
  expect(await docs.found()).toEqual(['hen.txt']);
});

it('finds nothing wrong while files come in and go out', async () => {
  const busy = createDataset(await newCustomer(gateway), 'busy');
  let looks = 0;
  const work = Promise.all(
    [0, 1, 2].map(async (lane) => {
      // Not more than the uploads of a minute.
      for (let turn = 0; looks < 2 && turn < 30; turn++) {
        await setTimeout(50);
        const [file] = await busy.upload(`${lane}-${turn}.txt`);
        if (turn % 2 === 0) await busy.remove(file);
      }
    }),
  );
  for (; looks < 2; looks++) expect(await verify()).toMatchObject({ found: 0 });
  await work;
});
