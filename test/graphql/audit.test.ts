import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await shareGateway();
});
afterAll(() => gateway.close());

const audits = serverAudits({
  url: 'http://filequery.test/graphql',
  fetchFn: (url: string, init: RequestInit) => gateway.fetch(new Request(url, init)),
});

it('the whole audit is here', () => {
  expect(audits).toHaveLength(61);
});

describe('GraphQL over HTTP', () => {
  it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});
