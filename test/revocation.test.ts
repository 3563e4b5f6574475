import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Client, createClient, newCustomer } from './support/client.ts';
import { startBeside, type TestGateway } from './support/gateway.ts';

/* A key that is revoked through one gateway, while another has just let it in. */

let gateways: [TestGateway, TestGateway];

beforeAll(async () => {
  gateways = await Promise.all([startBeside(), startBeside()]);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
});

const statusOf = async (client: Client) =>
  (await client.rest('GET', '/files?datasetId=docs')).status;

it('401 from both after 30 seconds at the latest, for a key that both have let in', async () => {
  const start = performance.now();
  const clock = vi.spyOn(performance, 'now');
  const at = async (seconds: number) => {
    clock.mockReturnValue(start + seconds * 1000);
    // The clock is read once a millisecond.
    await pause(5);
  };
  await at(0);
  const { apiKey, customerId } = await newCustomer(gateways[0]);
  const clients = gateways.map((gateway) => createClient(gateway, apiKey));
  for (const client of clients) expect(await statusOf(client)).toBe(200);
  const [key] = await gateways[0].admin.listKeys(customerId);
  await gateways[0].admin.revokeKey(key?.keyId ?? '');

  // Used all the time: that must not keep it alive.
  for (const seconds of [10, 20, 29]) {
    await at(seconds);
    for (const client of clients) await statusOf(client);
  }
  await at(30.1);
  for (const client of clients) expect(await statusOf(client)).toBe(401);
});
