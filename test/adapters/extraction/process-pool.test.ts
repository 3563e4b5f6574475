import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createProcessPool } from '../../../src/adapters/extraction/process-pool.ts';

const { signal } = new AbortController();
const pool = createProcessPool({ start, warm: 1, most: 3, patience: 20, idle: 200 });
afterAll(() => pool.close());

/** A process that does nothing until it is ended. */
function start() {
  const child: ChildProcess = spawn('sleep', ['60']);
  const gone = new AbortController();
  child.on('close', () => gone.abort());
  return { pid: child.pid, gone: gone.signal, kill: () => child.kill('SIGKILL') };
}

test('a process is lent to one at a time, and the same again', async () => {
  const first = await pool.take(signal);
  pool.give(first);
  expect(await pool.take(signal)).toBe(first);
  pool.give(first);
});

test('who waits gets what is given back, or one more, up to the most', async () => {
  const taken = [await pool.take(signal), await pool.take(signal), await pool.take(signal)];
  expect(new Set(taken).size).toBe(3);
  const waiting = pool.take(signal);
  expect(await Promise.race([waiting, pause(100, 'waits')])).toBe('waits');
  for (const process of taken) pool.give(process);
  expect(taken).toContain(await waiting);
  pool.give(await waiting);
});

test('spare processes end when nobody uses them, but for those that stay', async () => {
  const taken = [await pool.take(signal), await pool.take(signal), await pool.take(signal)];
  for (const process of taken) pool.give(process);
  await pause(1000);
  expect(taken.filter(({ gone }) => !gone.aborted)).toHaveLength(1);
});

test('what has ended is replaced for who waits', async () => {
  const taken = [await pool.take(signal), await pool.take(signal), await pool.take(signal)];
  const waiting = pool.take(signal);
  await pause(50);
  taken[0]?.kill();
  expect(taken).not.toContain(await waiting);
  for (const process of [...taken, await waiting]) pool.give(process);
});

test('who gives up waiting is not waited for', async () => {
  const taken = [await pool.take(signal), await pool.take(signal), await pool.take(signal)];
  const reason = new Error('The client went away.');
  const waiting = pool.take(AbortSignal.any([signal, abortedIn(10, reason)]));
  await expect(waiting).rejects.toBe(reason);
  await expect(pool.take(AbortSignal.abort(reason))).rejects.toBe(reason);
  for (const process of taken) pool.give(process);
  expect(taken).toContain(await pool.take(signal));
});

function abortedIn(milliseconds: number, reason: Error): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), milliseconds);
  return abort.signal;
}
