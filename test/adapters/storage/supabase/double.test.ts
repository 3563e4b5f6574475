import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, ask as askDouble } from '../../../support/supabase/ask.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';

/* The double speaks as the real server (v1.70.6) was observed to speak. */

let double: SupabaseDouble;

beforeAll(async () => {
  double = await startSupabaseDouble({ sizeLimit: 2000 });
  double.addBucket('b');
  double.addBucket('images', { allowed_mime_types: ['image/*'] });
  for (const name of ['a.txt', 'Dir/x.txt', 'dir/y.txt', 'dir/z.html']) await upload(name);
});
afterAll(() => double.close());

const ask = (method: string, path: string, asked?: Asked) => askDouble(double, method, path, asked);

function upload(name: string, headers: Record<string, string> = {}) {
  const asked = { body: 'Hello, fox', headers: { 'content-type': 'text/html', ...headers } };
  return ask('POST', `/object/b/${name}`, asked);
}

async function sign(name: string, expiresIn: unknown = 60): Promise<string> {
  return (await ask('POST', `/object/sign/b/${name}`, { body: { expiresIn } })).body.signedURL;
}

describe('stores', () => {
  it('again under the same id, as another version, when asked to', async () => {
    const first = (await upload('twice')).body;
    expect(first).toEqual({ Key: 'b/twice', Id: expect.any(String) });
    const { version } = double.buckets.get('b')?.objects.get('twice') ?? {};
    const second = (await upload('twice', { 'x-upsert': 'true' })).body;
    expect(second).toEqual(first);
    expect(double.buckets.get('b')?.objects.get('twice')?.version).not.toBe(version);
  });

  it('a body of unknown length whatever its size', async () => {
    const { storage } = createClient(double.url, double.secretKey);
    const stream = new Blob(['x'.repeat(5000)]).stream();
    const { data, error } = await storage.from('b').upload('stream', stream);
    expect([data?.fullPath, error]).toEqual(['b/stream', null]);
  });

  it('a Blob with the type of its part', async () => {
    const { storage } = createClient(double.url, double.secretKey);
    const blob = new Blob(['pixels'], { type: 'image/png' });
    await storage.from('images').upload('a.png', blob, { contentType: 'text/plain' });
    const { data } = await storage.from('images').info('a.png');
    expect(data).toMatchObject({ contentType: 'image/png', size: 6, cacheControl: 'max-age=3600' });
  });
});

describe('a signed URL', () => {
  it('is relative, and a JWT of the path that ends with it', async () => {
    const url = await sign('dir/y.txt', 14_646_051_379);
    expect(url).toMatch(/^\/object\/sign\/b\/dir\/y\.txt\?token=eyJ/);
    const { headers } = await ask('GET', url, { key: null });
    expect(new Date(headers.get('expires') ?? '').getUTCFullYear()).toBeGreaterThanOrEqual(2490);
    expect(headers.get('cache-control')).toBeNull();
    const elsewhere = await ask('GET', url.replace('y.txt', 'z.html'), { key: null });
    expect(elsewhere.body.code).toBe('InvalidSignature');
  });

  it.each<[Record<string, string>, number, string]>([
    [{ range: 'bytes=0-4' }, 206, 'Hello'],
    [{ range: 'bytes=-3' }, 206, 'fox'],
    [{ range: 'bytes=7-99' }, 206, 'fox'],
    [{ 'if-modified-since': new Date(Date.now() + 5000).toUTCString() }, 304, ''],
    [{}, 200, 'Hello, fox'],
  ])('with %o: %i %s', async (headers, status, text) => {
    const reply = await ask('GET', await sign('dir/z.html'), { key: null, headers });
    expect([reply.status, reply.body]).toEqual([status, text]);
    expect(reply.headers.get('content-type')).toBe('text/plain');
  });

  it('past the end: 416', async () => {
    const reply = await ask('GET', await sign('a.txt'), { headers: { range: 'bytes=10-' } });
    expect([reply.status, reply.body.code]).toEqual([416, 'InvalidRange']);
  });

  it.each([
    ['', null],
    ['&download=', 'attachment;'],
    [
      '&download=f%20%C3%A9.mp4',
      "attachment; filename=f%20%C3%A9.mp4; filename*=UTF-8''f%20%C3%A9.mp4",
    ],
  ])('with %j: Content-Disposition %s', async (more, disposition) => {
    const { headers } = await ask('HEAD', `${await sign('a.txt')}${more}`, { key: null });
    expect(headers.get('content-disposition')).toBe(disposition);
  });
});

describe('tells', () => {
  it('what it removed, and nothing of what was not there', async () => {
    await upload('gone');
    const body = { prefixes: ['gone', 'gone', 'none', 'dir', '/a.txt', 'é'] };
    const rows = (await ask('DELETE', '/object/b', { body })).body;
    expect(rows).toMatchObject([{ name: 'gone', bucket_id: 'b', metadata: { size: 10 } }]);
    expect((await ask('DELETE', '/object/none', { body })).body).toEqual([]);
  });

  it('of a list of URLs which it could sign', async () => {
    const body = { expiresIn: 60, paths: ['none', 'a.txt'] };
    const rows = (await ask('POST', '/object/sign/b', { body })).body;
    const error = 'Either the object does not exist or you do not have access to it';
    expect(rows).toEqual([
      { error, path: 'none', signedURL: null },
      { error: null, path: 'a.txt', signedURL: expect.stringMatching(/^\/object\/sign\/b\/a/) },
    ]);
  });

  it('what is in a folder, in whatever case, folders as rows of nulls', async () => {
    const names = async (body: object) =>
      (await ask('POST', '/object/list/b', { body })).body.map((row: { name: string }) => row.name);
    expect(await names({ prefix: 'DIR' })).toEqual(['x.txt', 'y.txt', 'z.html']);
    expect(await names({ prefix: 'dir', limit: 1, offset: 1 })).toEqual(['y.txt']);
    const rows = (await ask('POST', '/object/list/b', { body: { search: 'DIR' } })).body;
    expect(rows[0]).toMatchObject({ id: null, metadata: null });
  });
});
