import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

/* What a token learns about itself, and what it does not about its customer. */

let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway, '7.5');
});
afterAll(() => gateway.close());

async function viewerOf(limits: object) {
  const wanted = { datasetId: 'docs', ttlSeconds: 60, ...limits };
  const { body } = await customer.rest('POST', '/tokens/create', wanted);
  const me = createClient(gateway, body.token);
  const { data, errors, body: heard } = await me.graphql(ViewerDocument);
  expect(errors).toEqual([]);
  expect(JSON.stringify(heard)).not.toContain('7.5');
  return { viewer: data.viewer, created: body, claims: decodeJwt(body.token) };
}

it('a token with limits: what it may do, what is left and until when', async () => {
  const limits = { permissions: ['ASK', 'READ'], maxCredits: '2.5' };
  const { viewer, created, claims } = await viewerOf(limits);
  expect(created).toEqual({ token: expect.any(String), expiresIn: 60, tokenId: claims.jti });
  expect(viewer).toMatchObject({
    customerId: customer.customerId,
    customerName: null,
    credits: null,
    credential: 'TOKEN',
    datasetId: 'docs',
    token: {
      tokenId: claims.jti,
      permissions: ['ASK', 'READ'],
      expiresAt: new Date((claims.exp ?? 0) * 1000).toISOString(),
      maxCredits: '2.5',
      creditsLeft: '2.5',
    },
  });
});

it('a token without limits, which is told exactly as ever', async () => {
  const { viewer, created } = await viewerOf({});
  expect(created).toEqual({ token: expect.any(String), expiresIn: 60 });
  expect(viewer).toMatchObject({
    customerName: null,
    credits: null,
    token: {
      permissions: ['READ', 'ASK', 'UPLOAD', 'DELETE'],
      maxCredits: null,
      creditsLeft: null,
    },
  });
});

it('an API key has no token, and a name and credits', async () => {
  const { data } = await customer.graphql(ViewerDocument);
  expect(data.viewer).toMatchObject({ customerName: 'test', credits: '7.5', token: null });
});
