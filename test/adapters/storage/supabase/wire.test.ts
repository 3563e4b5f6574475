import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectStorage } from '../../../../src/ports/object-storage.ts';
import { objectsOf } from '../../../support/storages.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';
import { BUCKET, connect, HASTY, put, TEXT } from './support.ts';

/* What the adapter asks of the server. */

let double: SupabaseDouble;
let storage: ObjectStorage;

beforeAll(async () => {
  double = await startSupabaseDouble({ sizeLimit: 1000, limitsRemovals: true });
  storage = await connect(double, { timeouts: {} });
});
beforeEach(() => {
  double.addBucket(BUCKET);
  double.calls.length = 0;
});
afterAll(() => double.close());

const kinds = () => double.calls.map(({ kind }) => kind);
const many = (count: number, length = 10) =>
  Array.from({ length: count }, (_, at) => `${at}-`.padEnd(length, 'x'));

describe('an upload', () => {
  it('is one call with type and length, which replaces what is there', async () => {
    await put(storage, 'a.txt');
    expect(kinds()).toEqual(['upload']);
    const { authorization, ...headers } = double.calls[0]?.headers ?? {};
    expect(headers).toMatchObject({
      apikey: double.secretKey,
      'content-type': 'text/plain',
      'content-length': String(TEXT.length),
      'x-upsert': 'true',
    });
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(authorization).toBe(`Bearer ${double.secretKey}`);
    expect(double.buckets.get(BUCKET)?.objects.get('a.txt')).toMatchObject({
      content: Buffer.from(TEXT),
      contentType: 'text/plain',
    });
  });

  it.each([
    ['the project', 1001, {}],
    ['the bucket', 600, { file_size_limit: 599 }],
  ])('larger than %s allows is FILE_TOO_LARGE, and not tried again', async (_, size, settings) => {
    double.addBucket(BUCKET, settings);
    const putting = put(storage, 'large.txt', 'x'.repeat(size));
    await expect(putting).rejects.toMatchObject({ name: 'AppError', code: 'FILE_TOO_LARGE' });
    expect(kinds()).toEqual(['upload']);
  });

  it.each([
    ['shorter', TEXT.length + 1],
    ['longer', TEXT.length - 1],
  ])('%s than it is said to be fails, and leaves nothing', async (_, size) => {
    const body = Readable.from([Buffer.from(TEXT)]);
    const putting = storage.put('a.txt', () => body, { contentType: 'text/plain', size });
    await expect(putting).rejects.toThrow(`the body is not of the ${size} bytes`);
    expect(body.destroyed).toBe(true);
    expect(objectsOf(double)).toEqual([]);
  });

  it('makes the bucket, private, when no check has', async () => {
    double.buckets.clear();
    const hasty = await connect(double, { checkAtStart: false, timeouts: HASTY });
    await Promise.all([put(hasty, 'a.txt'), put(hasty, 'b.txt')]);
    expect(double.buckets.get(BUCKET)).toMatchObject({ public: false });
    expect(objectsOf(double)).toEqual(['a.txt', 'b.txt']);
    expect(kinds().filter((kind) => kind === 'createBucket')).toHaveLength(1);
  });
});

describe('a path that would lead elsewhere is not sent:', () => {
  it.each([
    '',
    '..',
    '../other/x',
    'a/./b',
    'a//b',
    '/a',
    'a/',
    'a b',
    'a#b',
    'a?b',
    'a%2Fb',
    'a\\b',
    'é',
    'a\nb',
  ])('%j', async (path) => {
    await expect(put(storage, path)).rejects.toThrow('not a path of ours');
    await expect(storage.get(path)).rejects.toThrow('not a path of ours');
    expect(kinds()).toEqual([]);
  });
});

describe('many at once', () => {
  it('are removed in calls of at most 1,000, the missing ones without a complaint', async () => {
    const paths = many(2500);
    for (const path of paths.slice(0, 5)) await put(storage, path);
    double.calls.length = 0;
    expect(await storage.remove(paths)).toEqual([]);
    expect(objectsOf(double)).toEqual([]);
    // Something was not there: is the bucket, and may the key see it?
    expect(kinds()).toEqual(['remove', 'remove', 'remove', 'getBucket']);
  });

  it('are removed in calls of less than 1 MiB', async () => {
    expect(await storage.remove(many(2000, 1500))).toEqual([]);
    const sizes = double.calls.map(({ headers }) => Number(headers['content-length'] ?? 0));
    expect(kinds()).toEqual(['remove', 'remove', 'remove', 'remove', 'getBucket']);
    expect(Math.max(...sizes)).toBeLessThan(1024 ** 2);
  });

  it('that are all removed need no other call', async () => {
    await put(storage, 'a.txt');
    await storage.remove(['a.txt']);
    expect(kinds()).toEqual(['upload', 'remove']);
  });

  it('are signed in their order, null for what is not there', async () => {
    await put(storage, '7-xxxxxxxx');
    await put(storage, '1500-xxxxx');
    double.calls.length = 0;
    const urls = await storage.signUrls(many(2500).map((path) => ({ path, fileName: 'a.txt' })));
    expect(urls.flatMap((url, at) => (url ? [at] : []))).toEqual([7, 1500]);
    expect(kinds()).toEqual(['signMany', 'signMany', 'signMany', 'getBucket']);
  });
});

it('a check that passed is good for a while, whoever asks', async () => {
  const checked = await connect(double);
  double.calls.length = 0;
  await Promise.all([checked.check(), checked.check()]);
  expect(kinds()).toEqual([]);
});
