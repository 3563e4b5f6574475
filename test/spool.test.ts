import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearSpool, openSpoolFolder } from '../src/http/spool.ts';

/* Where uploaded files wait: what a killed process left goes, what is in use stays. */

let spoolDir: string;

beforeEach(async () => {
  spoolDir = await mkdtemp(join(tmpdir(), 'filequery-spool-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(spoolDir, { recursive: true });
});

it('clears folders without a heartbeat for a quarter of an hour', async () => {
  await leave('killed', 16);
  await leave('maybe running', 14);
  await clearSpool(spoolDir);
  expect(await readdir(spoolDir)).toEqual(['maybe running']);
});

it('leaves what is in use, however long that takes', async () => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'Date'],
    shouldClearNativeTimers: true,
  });
  const { folder, discard } = await openSpoolFolder(join(spoolDir, 'incoming'));
  await writeFile(join(folder, '0'), 'some of it');
  const hour = new Date(Date.now() - 60 * 60_000);
  await utimes(folder, hour, hour);
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(hour.getTime());
  await clearSpool(join(spoolDir, 'incoming'));
  expect(await readdir(folder)).toEqual(['0']);
  await discard();
  expect(await readdir(join(spoolDir, 'incoming'))).toEqual([]);
});

it('clears nothing where there is nothing', async () => {
  await clearSpool(join(spoolDir, 'none'));
});

async function leave(name: string, minutesAgo: number): Promise<void> {
  const folder = join(spoolDir, name);
  await mkdir(folder);
  await writeFile(join(folder, '0'), 'left');
  const then = new Date(Date.now() - minutesAgo * 60_000);
  await utimes(folder, then, then);
}
