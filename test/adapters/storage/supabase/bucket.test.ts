import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { objectsOf } from '../../../support/storages.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';
import { BUCKET, connect, put } from './support.ts';

/* What becomes of the bucket while a gateway runs. */

const LOST = /^SUPABASE_BUCKET: the key sees no copies, and there are files .*; restore it/;

let double: SupabaseDouble;
let told: string[];
const log = {
  info() {},
  warn() {},
  error: ({ err }: { err?: Error }) => told.push(String(err?.message)),
};

beforeAll(async () => {
  double = await startSupabaseDouble();
});
beforeEach(() => {
  told = [];
  double.faults.clear();
  double.buckets.clear();
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => double.close());

it('one that is made public stops uploads within ten seconds, and takes them when it is private', async () => {
  const storage = await connect(double, { log });
  await put(storage, 'a.txt');
  double.addBucket(BUCKET, { public: true });
  vi.advanceTimersByTime(10_100);
  const line = /^SUPABASE_BUCKET: copies is public/;
  await expect(put(storage, 'b.txt')).rejects.toThrow(line);
  expect(told).toEqual([expect.stringMatching(line)]);
  expect(objectsOf(double)).toEqual([]);
  double.addBucket(BUCKET);
  await put(storage, 'b.txt');
  expect(objectsOf(double)).toEqual(['b.txt']);
});

describe('one that is gone', () => {
  it('is not made anew while there are files', async () => {
    const storage = await connect(double, { log, isInUse: async () => true, checkAtStart: false });
    await expect(put(storage, 'a.txt')).rejects.toThrow(LOST);
    await expect(storage.check()).rejects.toThrow(LOST);
    await expect(connect(double, { log, isInUse: async () => true })).rejects.toThrow(LOST);
    expect(double.buckets.size).toBe(0);
    expect(told).toEqual([expect.stringMatching(LOST)]);
  });

  it('under a gateway that runs is told at the second upload at the latest', async () => {
    let isInUse = false;
    const storage = await connect(double, { log, isInUse: async () => isInUse });
    isInUse = true;
    double.buckets.delete(BUCKET);
    await expect(put(storage, 'a.txt')).rejects.toThrow('NoSuchBucket');
    await expect(put(storage, 'a.txt')).rejects.toThrow(LOST);
    expect(double.buckets.size).toBe(0);
    double.addBucket(BUCKET);
    await put(storage, 'a.txt');
  });

  it('is made anew while there are none', async () => {
    const storage = await connect(double, { log, isInUse: async () => false, checkAtStart: false });
    await put(storage, 'a.txt');
    expect(double.buckets.get(BUCKET)).toMatchObject({ public: false });
  });
});

describe('probes', () => {
  it.each(['answer lost', 'reset'] as const)('are not left by an upload with %s', async (fault) => {
    const storage = await connect(double, { log, checkAtStart: false });
    double.faults.set('upload', fault, 1);
    await expect(storage.check()).rejects.toThrow();
    expect(objectsOf(double)).toEqual([]);
  });

  it('that were left are removed by a later check; those that may be in use stay', async () => {
    const storage = await connect(double, { log });
    await put(storage, 'filequery-probe/old');
    await put(storage, 'filequery-probe/new');
    const old = double.buckets.get(BUCKET)?.objects.get('filequery-probe/old');
    if (old) old.created_at = new Date(Date.now() - 120_000).toISOString();
    vi.advanceTimersByTime(60_000);
    await storage.check();
    expect(objectsOf(double)).toEqual(['filequery-probe/new']);
  });
});
