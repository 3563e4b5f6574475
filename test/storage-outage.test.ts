import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorageFailure } from '../src/adapters/storage/supabase/storage-failure.ts';
import { ConfigurationError } from '../src/core/errors.ts';
import { newCustomer } from './support/client.ts';
import { createFaults } from './support/faults.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { type SupabaseDouble, startSupabaseDouble } from './support/supabase-double.ts';

/* A storage that is away for longer than its adapter tries. */

const faults = createFaults();
let double: SupabaseDouble;
let gateway: TestGateway;
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  double = await startSupabaseDouble();
  const { url, secretKey } = double;
  gateway = await startGateway(
    { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey },
    faults.override,
  );
  me = await newCustomer(gateway, '10');
});
afterEach(() => faults.mend());
afterAll(async () => {
  await gateway.close();
  await double.close();
});

test.each([
  ['does not answer', () => new StorageFailure('an upload', new Error('connect ECONNREFUSED'))],
  ['cannot be used', () => new ConfigurationError('SUPABASE_BUCKET: copies is public')],
])('503 with Retry-After while the storage %s, and it costs nothing', async (_, failure) => {
  const { body } = await me.upload('docs', { 'there.txt': 'The fox is quick.' });
  const { credits } = await gateway.admin.showCredits(me.customerId);
  for (const call of ['storage.put', 'storage.signUrls']) {
    faults.before(call, () => {
      throw failure();
    });
  }
  const away = { status: 503, body: { error: 'Service unavailable' } };
  const uploaded = await me.upload('docs', { 'fox.txt': 'The fox is quick.' });
  expect(uploaded).toMatchObject(away);
  expect(uploaded.headers.get('retry-after')).toBe('5');
  const [{ fileId }] = body.files;
  expect(await me.rest('GET', `/files/${fileId}?datasetId=docs`)).toMatchObject(away);
  const { errors } = await me.graphql(
    '{ files(datasetId: "docs", first: 1) { nodes { fileId permanentUrl } } }',
  );
  expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 5 } }]);
  expect((await gateway.admin.showCredits(me.customerId)).credits).toBe(credits);
});
