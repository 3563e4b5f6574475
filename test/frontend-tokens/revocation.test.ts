import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, startBeside, type TestGateway } from '../support/gateway.ts';
import { graphqlTransport } from '../support/graphql-transport.ts';
import { restTransport } from '../support/rest-transport.ts';
import { statementsOf } from '../support/statements.ts';
import { resultOf } from '../support/transport.ts';

/* Tokens that end before their time, while two gateways have just let them in. */

const docs = { datasetId: 'docs' };

let gateways: [TestGateway, TestGateway];
let customer: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  gateways = await Promise.all([startBeside(), startBeside()]);
});
beforeEach(async () => {
  customer = await newCustomer(gateways[0]);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
});

const statusOf = async (client: Client) => (await client.rest('GET', '/files')).status;

async function tokenOf(maker: Client, limits: object = {}): Promise<string> {
  const { status, body } = await maker.rest('POST', '/tokens/create', { ...docs, ...limits });
  expect(status).toBe(200);
  return body.token;
}

const idOf = (token: string) => String(decodeJwt(token).jti);

/** Checks that both gateways accept a token until it is revoked, and for 30 seconds at most after that. */
async function expectEnd(token: string, revoke: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  const clock = vi.spyOn(performance, 'now');
  const at = async (seconds: number) => {
    clock.mockReturnValue(start + seconds * 1000);
    // The clock is read once a millisecond.
    await pause(5);
  };
  await at(0);
  const clients = gateways.map((gateway) => createClient(gateway, token));
  for (const client of clients) expect(await statusOf(client)).toBe(200);
  await revoke();
  // Used all the time: that must not keep it alive.
  for (const seconds of [10, 20, 29]) {
    await at(seconds);
    for (const client of clients) await statusOf(client);
  }
  await at(30.1);
  for (const client of clients) {
    const { status, body } = await client.rest('GET', '/files');
    expect([status, body]).toEqual([401, { error: 'Invalid API key or token' }]);
  }
}

describe('401 from both after 30 seconds at the latest, for a token that both have let in', () => {
  it.each([
    ['without limits', {}],
    ['with a budget', { maxCredits: '5' }],
  ])('%s, revoked over REST', async (_, limits) => {
    const token = await tokenOf(customer, limits);
    const other = createClient(gateways[0], await tokenOf(customer, limits));
    await expectEnd(token, async () =>
      resultOf(await restTransport.revokeToken(customer, idOf(token))),
    );
    expect(await statusOf(other)).toBe(200);
  });

  it('revoked over GraphQL, by its id in upper case', async () => {
    const token = await tokenOf(customer);
    await expectEnd(token, async () =>
      resultOf(await graphqlTransport.revokeToken(customer, idOf(token).toUpperCase())),
    );
  });

  it('revoked by the operator', async () => {
    const { token, tokenId } = await gateways[0].admin.createToken(customer.customerId, 'docs');
    expect(tokenId).toBe(idOf(token));
    expect(decodeProtectedHeader(token)).not.toHaveProperty('kid');
    await expectEnd(token, () => gateways[1].admin.revokeToken(customer.customerId, tokenId));
  });

  it.each([
    ['without limits', {}],
    ['with limits', { permissions: ['READ'] }],
  ])(
    '%s, when the key that made it is revoked, and not those of another key',
    async (_, limits) => {
      const { keyId, apiKey } = await gateways[0].admin.createKey(customer.customerId);
      const token = await tokenOf(createClient(gateways[0], apiKey), limits);
      const other = createClient(gateways[1], await tokenOf(customer, limits));
      await expectEnd(token, () => gateways[0].admin.revokeKey(keyId));
      expect(await statusOf(other)).toBe(200);
    },
  );
});

it('a token stays revoked, with its budget, when it is revoked again', async () => {
  const token = await tokenOf(customer, { maxCredits: '5' });
  for (const tokenId of [idOf(token), idOf(token)]) {
    resultOf(await restTransport.revokeToken(customer, tokenId));
  }
  expect(await statusOf(createClient(gateways[0], token))).toBe(401);
  const { prisma } = faults.deps;
  const row = await prisma.frontendToken.findFirstOrThrow({ where: { id: idOf(token) } });
  expect(row.credits?.toFixed()).toBe('5');
});

it("no customer revokes another's token", async () => {
  const token = await tokenOf(customer);
  const stranger = await newCustomer(gateways[0]);
  resultOf(await restTransport.revokeToken(stranger, idOf(token)));
  expect(await statusOf(createClient(gateways[0], token))).toBe(200);
});

it.each([['x'], ['00000000-0000-4000-8000-00000000000'], ['null']])(
  '400 for the id %s',
  async (tokenId) => {
    for (const transport of [restTransport, graphqlTransport]) {
      expect(await transport.revokeToken(customer, tokenId)).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        error: 'tokenId must be the id of a token, a UUID',
        details: {},
      });
    }
  },
);

it('405 for other methods of the route', async () => {
  const { status, headers } = await customer.rest('POST', '/tokens/x', {});
  expect([status, headers.get('allow')]).toEqual([405, 'DELETE']);
});

it('a token is checked without a statement while its customer is known', async () => {
  const tokens = [await tokenOf(customer), await tokenOf(customer, { permissions: ['READ'] })];
  const [first, second] = tokens.map((token) => createClient(gateways[0], token));
  if (!first || !second) throw new Error('no tokens');
  const list = async (client: Client) => resultOf(await restTransport.list(client, {}));
  const fresh = await statementsOf(() => list(first));
  const known = await statementsOf(() => list(second));
  const ofKey = await statementsOf(async () => resultOf(await restTransport.list(customer, docs)));
  expect(fresh).toHaveLength(3);
  expect([known.length, ofKey.length]).toEqual([1, 1]);
});

it('what is known of tokens is forgotten an hour after they have expired', async () => {
  const tokens = [await tokenOf(customer, { maxCredits: 1 }), await tokenOf(customer)];
  for (const token of tokens) await restTransport.revokeToken(customer, idOf(token));
  const { prisma } = faults.deps;
  const where = { customer: { id: customer.customerId } };
  const { maintenance } = await shareGateway();
  await maintenance.sweep();
  expect(await prisma.frontendToken.count({ where })).toBe(2);
  const [row] = tokens.map(idOf);
  await prisma.frontendToken.updateMany({
    where: { id: row ?? '' },
    data: { expires: new Date(Date.now() - 3_700_000) },
  });
  await maintenance.sweep();
  expect(await prisma.frontendToken.count({ where })).toBe(1);
});
