import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, ask as askDouble } from '../../../support/supabase/ask.ts';
import { keyOf } from '../../../support/supabase/keys.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';

/* The double refuses as the real server (v1.70.6) was observed to refuse. */

let double: SupabaseDouble;
let anon: string;

beforeAll(async () => {
  double = await startSupabaseDouble({ sizeLimit: 2000 });
  anon = await keyOf(double.secret, 'anon');
  double.addBucket('b');
  double.addBucket('images', { allowed_mime_types: ['image/*'] });
  await ask('POST', '/object/b/a.txt', { body: 'Hello, fox' });
});
afterAll(() => double.close());

const ask = (method: string, path: string, asked?: Asked) => askDouble(double, method, path, asked);

describe('refuses', () => {
  const none = '/object/none/a.txt';
  const garbage = { key: 'garbage' };
  it.each<[string, string, Asked, number, string, string]>([
    ['GET', '/object/b/none', {}, 400, '404', 'NoSuchKey'],
    ['GET', '/object/info/b/none', {}, 400, '404', 'NoSuchKey'],
    ['POST', '/object/sign/none/x', { body: { expiresIn: 1 } }, 400, '404', 'NoSuchKey'],
    ['GET', none, {}, 400, '404', 'NoSuchBucket'],
    ['POST', none, { body: 'x' }, 400, '404', 'NoSuchBucket'],
    ['GET', '/bucket/none', {}, 400, '404', 'NoSuchBucket'],
    ['POST', '/object/b/a.txt', { body: 'x' }, 400, '409', 'KeyAlreadyExists'],
    ['POST', '/bucket', { body: { name: 'b' } }, 400, '409', 'BucketAlreadyExists'],
    ['POST', '/bucket', { body: { name: ' b' } }, 400, '400', 'InvalidBucketName'],
    ['POST', '/object/b/k%C3%A9', { body: 'x' }, 400, '400', 'InvalidKey'],
    ['POST', '/object/b/large', { body: 'x'.repeat(2001) }, 400, '413', 'EntityTooLarge'],
    ['POST', '/object/images/a.txt', { body: 'x' }, 400, '415', 'InvalidMimeType'],
    ['POST', '/object/sign/b/a.txt', { body: { expiresIn: 0 } }, 400, '400', 'InvalidRequest'],
    [
      'POST',
      '/object/sign/b/a.txt',
      { body: { expiresIn: 9e12 * 2 } },
      400,
      '400',
      'InvalidParameter',
    ],
    ['DELETE', '/object/b', { body: { prefixes: [] } }, 400, '400', 'InvalidRequest'],
    ['DELETE', '/object/b', { body: ' '.repeat(1024 ** 2 + 1) }, 413, '413', 'EntityTooLarge'],
    ['GET', '/bucket/b', garbage, 400, '403', 'AccessDenied'],
    ['POST', '/object/b/new', { body: 'x', ...garbage }, 400, '403', 'AccessDenied'],
    ['GET', '/object/b/a.txt', garbage, 400, '404', 'NoSuchBucket'],
    ['GET', '/object/info/b/a.txt', garbage, 400, '404', 'NoSuchBucket'],
    ['GET', '/bucket/b', { key: null }, 400, '400', 'InvalidRequest'],
    ['GET', '/object/sign/b/a.txt?token=bad', { key: null }, 400, '400', 'InvalidJWT'],
    ['PATCH', '/object/b', {}, 404, '404', 'InvalidRequest'],
  ])('%s %s %o: HTTP %i, %s %s', async (method, path, asked, status, statusCode, code) => {
    const reply = await ask(method, path, asked);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({
      statusCode,
      code,
      error: expect.any(String),
      message: expect.any(String),
    });
  });

  it('a URL that cannot be decoded, in another shape', async () => {
    const { status, body } = await ask('GET', '/object/b/a%b.txt');
    expect([status, body.statusCode, body.code]).toEqual([400, 400, 'FST_ERR_BAD_URL']);
  });

  it('a key that may see nothing without saying so', async () => {
    const asked = { key: anon, body: { prefixes: ['a.txt'], prefix: '' } };
    expect((await ask('DELETE', '/object/b', asked)).body).toEqual([]);
    expect((await ask('POST', '/object/list/b', asked)).body).toEqual([]);
    expect((await ask('GET', '/object/b/a.txt', { key: anon })).body.code).toBe('NoSuchKey');
    expect((await ask('GET', '/bucket/b', { key: anon })).body.code).toBe('NoSuchBucket');
  });
});
