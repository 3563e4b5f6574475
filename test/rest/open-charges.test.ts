import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { createCuts } from '../support/cuts.ts';
import { createFaults } from '../support/faults.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { readLedger } from '../support/ledger.ts';

/* A charge is open until what it is for was delivered; one that nobody ends is given back. */

const faults = createFaults();
const cuts = createCuts();
let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  gateway = await startGateway({}, (deps) => cuts.override(faults.override(deps)));
});
beforeEach(async () => {
  customer = await newCustomer(gateway, '10');
});
afterEach(() => faults.mend());
afterAll(async () => {
  cuts.restore();
  await gateway.close();
});

const asked = { datasetId: 'docs', question: 'Is the fox quick?' };
const search = () => customer.rest('POST', '/search', asked);
const upload = () => customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
const openCharges = () => faults.deps.prisma.pendingCharge.count();

async function expectLeft(credits: string, entries: number) {
  const ledger = await readLedger(faults, customer.customerId);
  expect(ledger).toEqual({ credits, sum: credits, entries });
}

/** Has everything given back that nobody ended. */
async function sweepAll() {
  await faults.deps.prisma.pendingCharge.updateMany({ data: { due: new Date(0) } });
  await gateway.maintenance.sweep();
}

test.each([
  ['a search', search, '9.9'],
  ['an answer', () => customer.rest('POST', '/query', { ...asked, stream: false }), '9.9'],
  ['a stream', () => customer.rest('POST', '/query', asked), '9.9'],
  ['an upload', upload, '9'],
])('200 of %s: its charge is ended soon after it, and stays', async (_, send, left) => {
  expect((await send()).status).toBe(200);
  await expect.poll(openCharges).toBe(0);
  await sweepAll();
  await expectLeft(left, 2);
});

test('a charge whose process is gone is given back, once', async () => {
  await upload();
  await expect.poll(openCharges).toBe(0);
  faults.before('index.search', () => new Promise(() => {}));
  void search();
  await expect.poll(openCharges).toBe(1);
  await gateway.maintenance.sweep();
  await expectLeft('8.9', 3);
  await sweepAll();
  await expectLeft('9', 4);
  await sweepAll();
  await expectLeft('9', 4);
});

test.each(['not done', 'reply lost'] as const)(
  '503 when the booking is cut (%s): nothing is taken',
  async (cut) => {
    cuts.begin({ cut, where: /INSERT INTO pending_charge/ });
    expect((await search()).status).toBe(503);
    cuts.end();
    const entries = cut === 'reply lost' ? 3 : 1;
    await expect
      .poll(() => readLedger(faults, customer.customerId), { timeout: 5000 })
      .toEqual({ credits: '10', sum: '10', entries });
  },
);

test.each(['not done', 'reply lost'] as const)(
  'a refund that is cut (%s) is booked, and once',
  async (cut) => {
    faults.fail('index.search');
    await upload();
    cuts.begin({ cut, where: /refund/ });
    expect((await search()).status).toBe(500);
    cuts.end();
    await expect.poll(openCharges, { timeout: 5000 }).toBe(0);
    await sweepAll();
    await expectLeft('9', 4);
  },
);

test('a charge that could not be ended is ended later', async () => {
  cuts.begin({ cut: 'not done', where: /^DELETE FROM pending_charge/ });
  expect((await search()).status).toBe(200);
  await expect.poll(openCharges, { timeout: 5000 }).toBe(0);
  expect(cuts.end().filter((sql) => /^DELETE FROM pending_charge/.test(sql))).toHaveLength(2);
  await expectLeft('9.9', 2);
});

test.each([
  ['not done', 503, '10', 3],
  ['reply lost', 200, '9', 2],
] as const)('an upload whose COMMIT is cut (%s): %i', async (cut, status, left, entries) => {
  cuts.begin({ cut, where: /^COMMIT/ });
  expect((await upload()).status).toBe(status);
  cuts.end();
  await expect.poll(openCharges, { timeout: 5000 }).toBe(0);
  await sweepAll();
  await expectLeft(left, entries);
});

test('a search asks as often as it did without open charges, and is settled with others', async () => {
  await upload();
  await expect.poll(openCharges).toBe(0);
  await search();
  await expect.poll(openCharges).toBe(0);
  cuts.begin();
  await Promise.all(Array.from({ length: 5 }, search));
  await expect.poll(openCharges).toBe(0);
  // This test counts charges, and the gateway looks for asynchronous uploads every few seconds.
  const effects = cuts.end().filter((sql) => !/SELECT COUNT|\bingestion\b/i.test(sql));
  const settled = effects.filter((sql) => /^DELETE FROM pending_charge/.test(sql)).length;
  expect(settled).toBeLessThan(5);
  // The charge, the dataset, the chunks.
  expect(effects).toHaveLength(5 * 3 + settled);
});
