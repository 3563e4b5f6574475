import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IngestionDocument, ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';
import { startUpload } from '../support/graphql.ts';
import { graphqlTransport } from '../support/graphql-transport.ts';
import { readLedger } from '../support/ledger.ts';
import { endless, PIECE, send, streamed } from '../support/requests.ts';
import { restTransport } from '../support/rest-transport.ts';
import { statementsOf } from '../support/statements.ts';
import { type Outcome, resultOf } from '../support/transport.ts';

/* A token with a budget spends what is in it, and its customer has the rest. */

const docs = { datasetId: 'docs' };
const question = 'Is the fox quick?';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

type Customer = Client & { customerId: string };

/** A customer of 10 credits after an upload, or an unmetered one. */
async function furnish(credits: string | null = '11'): Promise<Customer> {
  const customer = await newCustomer(gateway, credits);
  await customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
  return customer;
}

async function tokenOf(customer: Customer, maxCredits?: string | number): Promise<string> {
  const wanted = { ...docs, ...(maxCredits !== undefined && { maxCredits }) };
  const { status, body } = await customer.rest('POST', '/tokens/create', wanted);
  expect(status).toBe(200);
  return body.token;
}

/** What is left in the budget of a caller. */
async function leftTo(me: Client): Promise<unknown> {
  const { data } = await me.graphql(ViewerDocument);
  return data.viewer?.token?.creditsLeft;
}

/** Fifty questions at once, over both doors, to several gateways in turn. */
function askFifty(clients: Client[]): Promise<Outcome[]> {
  const acts = [
    (me: Client) => restTransport.search(me, { question }),
    (me: Client) => graphqlTransport.answer(me, { question }),
    (me: Client) => restTransport.stream(me, { question }),
  ];
  const asked = Array.from({ length: 50 }, (_, at) => {
    const act = acts[at % acts.length] as (typeof acts)[0];
    return act(clients[at % clients.length] as Client) as Promise<Outcome>;
  });
  return Promise.all(asked);
}

const answered = (outcomes: Outcome[]) => outcomes.filter((outcome) => 'result' in outcome).length;

describe.each([
  ['metered', '11', ['8', '8']],
  ['unmetered', null, [null, '0']],
])('the budget of a token of a customer who is %s', (_, credits, [balance, booked]) => {
  let customer: Customer;
  let me: Client;
  beforeEach(async () => {
    customer = await furnish(credits);
    me = createClient(gateway, await tokenOf(customer, '2'));
  });

  it('is spent to the last credit, and no further, by fifty at once', async () => {
    const outcomes = await askFifty([me]);
    expect(answered(outcomes)).toBe(20);
    const refused = outcomes.filter((outcome) => !('result' in outcome));
    expect(refused[0]).toEqual({
      status: 402,
      code: 'INSUFFICIENT_CREDITS',
      error: 'INSUFFICIENT_CREDITS',
      details: { required: 0.1, available: 0 },
    });
    expect(new Set(refused.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await leftTo(me)).toBe('0');
    const { credits: left, sum } = await readLedger(faults, customer.customerId);
    expect([left, sum]).toEqual([balance, booked]);
  });

  it('gets back exactly what failed work has taken, by fifty at once', async () => {
    let calls = 0;
    faults.before('index.search', () => {
      if (++calls % 2 === 0) throw new Error('broken on purpose');
    });
    const outcomes = await askFifty([me]);
    faults.mend();
    const spent = answered(outcomes);
    expect(spent).toBeLessThan(50);
    expect(Number(await leftTo(me))).toBeCloseTo(2 - spent / 10, 9);
    while (Number(await leftTo(me)) > 0) resultOf(await restTransport.search(me, { question }));
    expect(await restTransport.search(me, { question })).toMatchObject({ status: 402 });
    const { credits: left, sum } = await readLedger(faults, customer.customerId);
    expect([left, sum]).toEqual([balance, booked]);
  });

  it('gets back what a gateway has taken that was killed, once', async () => {
    faults.before('index.search', () => new Promise(() => {}));
    void restTransport.search(me, { question });
    await expect.poll(() => leftTo(me)).toBe('1.9');
    const { prisma } = faults.deps;
    const { key: customerKey } = await prisma.customer.findUniqueOrThrow({
      where: { id: customer.customerId },
    });
    expect((await gateway.maintenance.verify({ customer: customer.customerId })).drifts).toEqual(
      [],
    );
    await prisma.pendingCharge.updateMany({ where: { customerKey }, data: { due: new Date(0) } });
    for (let sweeps = 0; sweeps < 2; sweeps++) {
      await gateway.maintenance.sweep();
      expect(await leftTo(me)).toBe('2');
    }
    const { credits: left, sum } = await readLedger(faults, customer.customerId);
    expect([left, sum]).toEqual(credits === null ? [null, '0'] : ['10', '10']);
  });
});

it('two gateways spend one budget', async () => {
  const gateways = await Promise.all([startBeside(), startBeside()]);
  const customer = await newCustomer(gateways[0], '10');
  const token = await tokenOf(customer, 1.5);
  const clients = gateways.map((one) => createClient(one, token));
  expect(answered(await askFifty(clients))).toBe(15);
  for (const client of clients) expect(await leftTo(client)).toBe('0');
  for (const one of gateways) await one.close();
  const { credits, sum } = await readLedger(faults, customer.customerId);
  expect([credits, sum]).toEqual(['8.5', '8.5']);
});

it('402 when the customer has less than the budget, which stays as it is', async () => {
  const customer = await furnish('1.05');
  const me = createClient(gateway, await tokenOf(customer, '5'));
  expect(await restTransport.search(me, { question })).toMatchObject({
    status: 402,
    details: { required: 0.1, available: 0.05 },
  });
  expect(await leftTo(me)).toBe('5');
});

it('402 for an upload that costs more than the budget: of all files, or before the body', async () => {
  const customer = await furnish();
  const one = createClient(gateway, await tokenOf(customer, '1'));
  const files = { 'a.txt': 'A.', 'b.txt': 'B.' };
  expect(await restTransport.upload(one, { files })).toMatchObject({
    status: 402,
    details: { required: 2, available: 1 },
  });
  resultOf(await restTransport.upload(one, { files: { 'a.txt': 'A.' } }));
  const { body, taken } = endless();
  const response = await send(gateway, 'POST', '/v1/files/upload', {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    credential: one.credential,
    ...streamed(body),
  });
  expect(response.status).toBe(402);
  expect(taken()).toBeLessThanOrEqual(2 * PIECE);
});

it('a budget gets back what an asynchronous upload has cost that fails', async () => {
  for (const credits of ['11', null]) {
    const customer = await furnish(credits);
    const me = createClient(gateway, await tokenOf(customer, '5'));
    const { data, errors } = await startUpload(me, 'docs', { 'a.txt': 'A.', 'b.txt': ' ' });
    expect(errors).toEqual([]);
    const { ingestionId } = data.startUpload.ingestion;
    await expect
      .poll(
        async () => (await me.graphql(IngestionDocument, { ingestionId })).data.ingestion?.status,
        { timeout: 25_000 },
      )
      .toBe('FAILED');
    expect(await leftTo(me)).toBe('5');
    const { credits: left } = await readLedger(faults, customer.customerId);
    expect(left).toBe(credits === null ? null : '10');
    const { errors: none } = await startUpload(me, 'docs', { 'a.txt': 'A.' });
    expect(none).toEqual([]);
    expect(await leftTo(me)).toBe('4');
  }
});

it('a budget that the database has forgotten is empty', async () => {
  const customer = await furnish();
  const me = createClient(gateway, await tokenOf(customer, '5'));
  const { prisma } = faults.deps;
  await prisma.frontendToken.deleteMany({ where: { customer: { id: customer.customerId } } });
  expect(await restTransport.search(me, { question })).toMatchObject({
    status: 402,
    details: { required: 0.1, available: 0 },
  });
  expect(await leftTo(me)).toBe('0');
});

it('no token costs a statement more than an API key', async () => {
  const customer = await furnish();
  const clients = [
    customer,
    createClient(gateway, await tokenOf(customer)),
    createClient(gateway, await tokenOf(customer, '5')),
  ];
  const counts = [];
  for (const me of clients) {
    const search = async () => resultOf(await restTransport.search(me, { ...docs, question }));
    await search();
    await gateway.settle();
    // Without the capture, which questions share.
    const statements = await statementsOf(search);
    counts.push(statements.filter((sql) => !/^\s*DELETE FROM pending_charge/.test(sql)).length);
  }
  // The charge, the dataset, the chunks.
  expect(counts).toEqual([3, 3, 3]);
});

describe('POST /v1/tokens/create', () => {
  it.each([['0'], [0.5], ['999999999999.999999']])('200 with maxCredits %j', async (maxCredits) => {
    const me = createClient(gateway, await tokenOf(await furnish(), maxCredits));
    expect(await leftTo(me)).toBe(String(maxCredits));
  });

  it.each([['-1'], [-1], ['1e3'], ['0.0000001'], ['1000000000000'], [true], [['1']], ['x'], ['']])(
    '400 with maxCredits %j',
    async (maxCredits) => {
      const customer = await newCustomer(gateway);
      const reply = await customer.rest('POST', '/tokens/create', { ...docs, maxCredits });
      expect(reply.body).toEqual({
        error:
          'maxCredits must be a decimal number such as 100 or 0.5, with at most twelve digits and six decimals',
      });
      expect(reply.status).toBe(400);
    },
  );
});
