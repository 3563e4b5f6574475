import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObjectStorage } from '../../../../src/ports/object-storage.ts';
import type { Fault } from '../../../support/supabase/faults.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';
import {
  BUCKET,
  connect,
  HASTY,
  OPERATIONS,
  type Operation,
  put,
  RESULTS,
  TEXT,
} from './support.ts';

/* What the adapter makes of a server that is not well. */

const OPERATION_NAMES = Object.keys(OPERATIONS) as Operation[];

let double: SupabaseDouble;
let storage: ObjectStorage;
/** Gives up a request soon. */
let hasty: ObjectStorage;

beforeAll(async () => {
  double = await startSupabaseDouble();
  storage = await connect(double);
  hasty = await connect(double, { timeouts: HASTY });
});
beforeEach(async () => {
  double.faults.clear();
  double.addBucket(BUCKET);
  await put(storage, 'a.txt');
  double.calls.length = 0;
});
afterAll(() => double.close());

const callsOf = (operation: Operation) =>
  double.calls.filter(({ kind }) => kind === operation).length;
const across = <T>(items: readonly T[]) =>
  OPERATION_NAMES.flatMap((operation) => items.map((item): [Operation, T] => [operation, item]));

const PASSING = [
  'reset',
  'answer lost',
  'hang',
  'database away',
  'database hangs',
  'no connection left',
  'locked',
  'too many connections',
  'bad gateway',
] as const satisfies Fault[];

describe('what fails in passing is done again:', () => {
  it.each(across(PASSING))('%s, %s twice', async (operation, fault) => {
    double.faults.set(operation, fault, 2);
    const adapter = /hang/.test(fault) ? hasty : storage;
    expect(await OPERATIONS[operation](adapter)).toEqual(RESULTS[operation]);
    // On a busy machine an answer may be too late, and is asked for once more.
    expect(callsOf(operation)).toBeGreaterThanOrEqual(3);
  });

  it.each(OPERATION_NAMES.filter((operation) => operation !== 'download'))(
    '%s, an answer that is cut or stands still',
    async (operation) => {
      for (const fault of ['answer cut', 'answer stalls'] as const) {
        double.faults.set(operation, fault, 1);
        expect(await OPERATIONS[operation](hasty)).toEqual(RESULTS[operation]);
      }
      // On a busy machine an answer may be too late, and is asked for once more.
      expect(callsOf(operation)).toBeGreaterThanOrEqual(4);
    },
  );

  it.each(OPERATION_NAMES)('%s, while the server is away for a moment', async (operation) => {
    await double.away();
    const patient = await connect(double, {
      checkAtStart: false,
      timeouts: { retryDelayMs: 60, maxRetryDelayMs: 600 },
    });
    const done = OPERATIONS[operation](patient);
    await pause(50);
    await double.back();
    expect(await done).toEqual(RESULTS[operation]);
  });
});

it.each(['upload', 'download', 'signMany'] as const)(
  '%s outlasts a restart of 15 seconds, at a twenty-fifth of all times',
  async (operation) => {
    const timeouts = { retryDelayMs: 200 / 25, maxRetryDelayMs: 5000 / 25 };
    const patient = await connect(double, { checkAtStart: false, timeouts });
    await double.away();
    const done = OPERATIONS[operation](patient);
    await pause(15_000 / 25);
    await double.back();
    expect(await done).toEqual(RESULTS[operation]);
  },
);

describe('it is given up when it goes on:', () => {
  it.each(across(['reset', 'hang', 'database away'] as const))(
    '%s, %s',
    async (operation, fault) => {
      double.faults.set(operation, fault);
      await expect(OPERATIONS[operation](hasty)).rejects.toThrow(/^Supabase Storage: .* failed: /);
      // What is removed in vain is removed again by the sweeper.
      expect(callsOf(operation)).toBe(operation === 'remove' ? 4 : 8);
    },
  );
});

describe('what would fail again is not done again:', () => {
  it.each(OPERATION_NAMES)('%s, a key that the proxy does not know', async (operation) => {
    double.faults.set(operation, 'unknown key');
    await expect(OPERATIONS[operation](storage)).rejects.toThrow('Invalid API key');
    expect(callsOf(operation)).toBe(1);
  });

  it.each(OPERATION_NAMES)('%s, a bucket that is gone', async (operation) => {
    double.buckets.delete(BUCKET);
    await expect(OPERATIONS[operation](storage)).rejects.toThrow('NoSuchBucket');
    expect(callsOf(operation)).toBe(1);
  });

  it.each(OPERATION_NAMES)(
    '%s, a key that lost its rights, however it looks',
    async (operation) => {
      const rights = double.roles['service_role'] ?? [];
      double.roles['service_role'] = [];
      await expect(OPERATIONS[operation](storage)).rejects.toThrow(
        /AccessDenied|NoSuchKey|NoSuchBucket/,
      );
      double.roles['service_role'] = rights;
      expect(callsOf(operation)).toBe(1);
      expect(double.buckets.get(BUCKET)?.objects.has('a.txt')).toBe(true);
    },
  );
});

describe('a download that was begun', () => {
  it.each(['answer cut', 'answer stalls'] as const)('fails: %s', async (fault) => {
    double.faults.set('download', fault, 1);
    const stream = await hasty.get('a.txt');
    await expect(text(stream)).rejects.toThrow(/^Supabase Storage: a download failed: /);
  });

  it('may be read as slowly as its reader likes', async () => {
    const large = TEXT.repeat(200_000);
    await put(storage, 'large.txt', large);
    const heedful = await connect(double, { timeouts: { idleTimeoutMs: 1000 } });
    let read = '';
    for await (const chunk of await heedful.get('large.txt')) {
      if (read.length === 0) await pause(1500);
      read += chunk;
    }
    expect(read.length).toBe(large.length);
  });
});

it('a download that has not begun ends when its signal says so', async () => {
  double.faults.set('download', 'hang');
  const controller = new AbortController();
  const getting = storage.get('a.txt', controller.signal);
  await vi.waitFor(() => expect(callsOf('download')).toBe(1));
  controller.abort(new Error('the gateway stops'));
  await expect(getting).rejects.toThrow('the gateway stops');
});

describe('an upload', () => {
  it('ends when its signal says so, also between two attempts', { timeout: 10_000 }, async () => {
    double.faults.set('upload', 'database away');
    const patient = await connect(double, { timeouts: { retryDelayMs: 60_000 } });
    const controller = new AbortController();
    const options = { contentType: 'text/plain', size: 1, signal: controller.signal };
    const putting = patient.put('c.txt', () => Readable.from(['c']), options);
    // The next attempt would be in a minute.
    await vi.waitFor(() => expect(callsOf('upload')).toBe(1));
    controller.abort(new Error('the client went away'));
    await expect(putting).rejects.toThrow('the client went away');
  });

  it('is no success when the server stored it elsewhere', async () => {
    double.faults.set('upload', 'goes astray', 1);
    await expect(put(storage, 'd.txt')).rejects.toThrow(
      'Supabase Storage stored d.txt as elsewhere/a',
    );
    expect(callsOf('upload')).toBe(1);
  });
});
