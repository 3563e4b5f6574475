import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectsOf } from '../../../support/storages.ts';
import { keyOf } from '../../../support/supabase/keys.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';
import { BUCKET, connect, put } from './support.ts';

/* Settings that cannot work stop the start with one line that names the setting and the cure. */

const OTHER_SECRET = new TextEncoder().encode('the secret of another project, of 32 characters');
const WRONG_KEY =
  'SUPABASE_SECRET_KEY: may not write, sign, read and remove in the bucket; take the secret (service_role) key of the project';
const NO_BUCKET =
  'SUPABASE_BUCKET: the key sees no copies and may not make it; make it, private, or set SUPABASE_SECRET_KEY to the secret (service_role) key';

let double: SupabaseDouble;

beforeAll(async () => {
  double = await startSupabaseDouble();
});
beforeEach(() => {
  double.faults.clear();
  double.buckets.clear();
});
afterAll(() => double.close());

const keyFor = (role: string, ...rights: (typeof double.roles)[string]) => {
  double.roles[role] = rights;
  return keyOf(double.secret, role);
};

describe('the key:', () => {
  it.each<[what: string, key: () => Promise<string> | string]>([
    ['garbage', () => 'garbage'],
    ['of the newer kind, straight to the storage', () => 'sb_secret_abc'],
    ['of another project', () => keyOf(OTHER_SECRET, 'service_role')],
    ['of a role that the database does not know', () => keyOf(double.secret, 'nobody')],
    ['that may not insert', () => keyFor('viewer', 'buckets', 'select', 'delete')],
    ['that may only insert', () => keyFor('writer', 'buckets', 'insert')],
    ['that may not delete', () => keyFor('keeper', 'buckets', 'insert', 'select')],
  ])('%s', async (_, key) => {
    const secretKey = await key();
    const starting = connect({ url: double.url, secretKey });
    await expect(starting).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: WRONG_KEY,
    });
  });

  it('expired', async () => {
    const secretKey = await keyOf(double.secret, 'service_role', new Date(0));
    await expect(connect({ url: double.url, secretKey })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message:
        'SUPABASE_SECRET_KEY: has expired (1970-01-01T00:00:00.000Z); take the current secret (service_role) key of the project',
    });
  });

  it('that expires while the gateway runs', async () => {
    const expires = new Date(Math.ceil(Date.now() / 1000 + 1) * 1000);
    const secretKey = await keyOf(double.secret, 'service_role', expires);
    const storage = await connect({ url: double.url, secretKey });
    await put(storage, 'a.txt');
    await pause(expires.getTime() - Date.now() + 50);
    await expect(put(storage, 'a.txt')).rejects.toThrow(/^SUPABASE_SECRET_KEY: has expired /);
    await expect(storage.signUrls([{ path: 'a.txt', fileName: 'a' }])).rejects.toThrow(
      /^SUPABASE_SECRET_KEY: has expired /,
    );
  });

  it('that the proxy does not know', async () => {
    double.faults.set('getBucket', 'unknown key');
    await expect(connect(double)).rejects.toMatchObject({ message: WRONG_KEY });
  });

  it.each<[what: string, key: () => Promise<string> | string]>([
    ['publishable', () => 'sb_publishable_abc'],
    ['anon', () => keyOf(double.secret, 'anon')],
    ['authenticated', () => keyOf(double.secret, 'authenticated')],
  ])('%s instead of secret, which nobody is asked about', async (_, key) => {
    double.calls.length = 0;
    const starting = connect({ url: double.url, secretKey: await key() });
    await expect(starting).rejects.toMatchObject({
      name: 'ConfigurationError',
      message:
        "SUPABASE_SECRET_KEY: is a publishable (anon) key; take the project's secret (service_role) key",
    });
    expect(double.calls).toEqual([]);
  });

  it.each(['two words', 'schlüssel', 'a\nb'])('%j cannot be one, and is not shown', async (key) => {
    const starting = connect({ url: double.url, secretKey: key });
    await expect(starting).rejects.toThrow(
      /^SUPABASE_SECRET_KEY: must be ASCII characters without spaces$/,
    );
  });
});

describe('the bucket:', () => {
  it('is made, private, when it is not there', async () => {
    await connect(double);
    expect(double.buckets.get(BUCKET)).toMatchObject({ public: false });
    expect(objectsOf(double)).toEqual([]);
  });

  it('may be made by several gateways at once', async () => {
    await Promise.all([connect(double), connect(double), connect(double)]);
    expect([...double.buckets.keys()]).toEqual([BUCKET]);
  });

  it('is not there, and the key may not make it', async () => {
    const secretKey = await keyFor('worker', 'insert', 'select', 'delete');
    const starting = connect({ url: double.url, secretKey });
    await expect(starting).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: NO_BUCKET,
    });
  });

  it.each([
    [{ public: true }, /^SUPABASE_BUCKET: copies is public, .*; make it private/],
    [{ allowed_mime_types: ['image/*'] }, /^SUPABASE_BUCKET: copies takes .* certain types only; /],
  ])('%o', async (settings, line) => {
    double.addBucket(BUCKET, settings);
    await expect(connect(double)).rejects.toThrow(line);
    expect(objectsOf(double)).toEqual([]);
  });

  it.each(['', 'a/b', 'a b', '..', 'x'.repeat(101), 'x--table-s3', 'sign', 'public'])(
    'cannot be called %j',
    async (bucket) => {
      await expect(connect(double, { bucket })).rejects.toThrow(/^SUPABASE_BUCKET: .*\S$/);
    },
  );
});
