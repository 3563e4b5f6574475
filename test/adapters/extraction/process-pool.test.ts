import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createProcessPool } from '../../../src/adapters/extraction/process-pool.ts';

const { signal } = new AbortController();
const pool = createProcessPool({
  start,
  minProcesses: 1,
  maxProcesses: 3,
  startAfterMs: 20,
  idleTimeoutMs: 200,
});
const pair = createProcessPool({ start, minProcesses: 2, maxProcesses: 2 });
afterAll(() => Promise.all([pool.close(), pair.close()]));

/** A process that does nothing until it is ended. */
function start() {
  const child: ChildProcess = spawn('sleep', ['60']);
  const ended = new AbortController();
  child.on('close', () => ended.abort());
  return { pid: child.pid, ended: ended.signal, kill: () => child.kill('SIGKILL') };
}

function work(owner: string, size = 1000) {
  return { owner, size };
}

/** One process each for three owners. */
async function takeAll() {
  return [
    await pool.acquire(work('A'), signal),
    await pool.acquire(work('B'), signal),
    await pool.acquire(work('C'), signal),
  ];
}

/** Who is lent processes of a pool, in that order, each of which is given back at once. */
async function servedBy(from: typeof pair, waiting: [owner: string, size: number][]) {
  const holder = [await from.acquire(work('A'), signal), await from.acquire(work('A'), signal)];
  const served: string[] = [];
  const all = waiting.map(async ([owner, size], at) => {
    const process = await from.acquire(work(owner, size), signal);
    served.push(`${owner}${at}`);
    await pause(5);
    from.release(process);
  });
  await pause(10);
  for (const process of holder) from.release(process);
  await Promise.all(all);
  return served;
}

test('a process is lent to one at a time, and the same again', async () => {
  const first = await pool.acquire(work('A'), signal);
  pool.release(first);
  expect(await pool.acquire(work('A'), signal)).toBe(first);
  pool.release(first);
});

test('who waits gets what is given back, or one more, up to the most', async () => {
  const taken = await takeAll();
  expect(new Set(taken).size).toBe(3);
  const waiting = pool.acquire(work('D'), signal);
  expect(await Promise.race([waiting, pause(100, 'waits')])).toBe('waits');
  for (const process of taken) pool.release(process);
  expect(taken).toContain(await waiting);
  pool.release(await waiting);
});

test('spare processes end when nobody uses them, but for those that stay', async () => {
  const taken = await takeAll();
  for (const process of taken) pool.release(process);
  await pause(1000);
  expect(taken.filter(({ ended }) => !ended.aborted)).toHaveLength(1);
});

test('what has ended is replaced for who waits', async () => {
  const taken = await takeAll();
  const waiting = pool.acquire(work('D'), signal);
  await pause(50);
  taken[0]?.kill();
  expect(taken).not.toContain(await waiting);
  for (const process of [...taken, await waiting]) pool.release(process);
});

test('who gives up waiting is not waited for', async () => {
  const taken = await takeAll();
  const reason = new Error('The client went away.');
  const waiting = pool.acquire(work('D'), AbortSignal.any([signal, abortedIn(10, reason)]));
  await expect(waiting).rejects.toBe(reason);
  await expect(pool.acquire(work('D'), AbortSignal.abort(reason))).rejects.toBe(reason);
  for (const process of taken) pool.release(process);
  const next = await pool.acquire(work('D'), signal);
  expect(taken).toContain(next);
  pool.release(next);
});

test('one owner leaves a process to others, however long its own work waits', async () => {
  const held = [await pool.acquire(work('A'), signal), await pool.acquire(work('A'), signal)];
  const third = pool.acquire(work('A'), signal);
  expect(await Promise.race([third, pause(100, 'waits')])).toBe('waits');
  const other = await pool.acquire(work('B'), signal);
  expect(await Promise.race([third, pause(50, 'waits')])).toBe('waits');
  pool.release(other);
  expect(await Promise.race([third, pause(50, 'waits')])).toBe('waits');
  pool.release(held[0] ?? other);
  for (const process of [await third, ...held.slice(1)]) pool.release(process);
});

test('owners are served in turn, not in the order in which they came', async () => {
  const waiting: [string, number][] = [
    ['A', 1000],
    ['A', 1000],
    ['A', 1000],
    ['B', 1000],
    ['C', 1000],
  ];
  expect(await servedBy(pair, waiting)).toEqual(['B3', 'A0', 'C4', 'A1', 'A2']);
});

test('small work passes large work of the same owner', async () => {
  const waiting: [string, number][] = [
    ['B', 100e6],
    ['B', 50e6],
    ['B', 1000],
  ];
  expect(await servedBy(pair, waiting)).toEqual(['B2', 'B1', 'B0']);
});

function abortedIn(milliseconds: number, reason: Error): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), milliseconds);
  return abort.signal;
}
