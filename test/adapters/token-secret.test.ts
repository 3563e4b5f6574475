import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptSecret } from '../../src/adapters/token-secret.ts';
import { ConfigurationError } from '../../src/core/errors.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filequery-secret-'));
  path = join(folder, 'token-secret');
});
afterEach(() => rm(folder, { recursive: true }));

it('makes a secret that only its owner reads, and keeps it', async () => {
  const secret = await keptSecret(folder);
  expect(secret).toHaveLength(43);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await keptSecret(folder)).toBe(secret);
  expect(await readdir(folder)).toEqual(['token-secret']);
});

it('gives all who begin at once the same', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => keptSecret(folder)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(folder)).toEqual(['token-secret']);
});

it('takes rights of others away', async () => {
  const secret = 'a secret that somebody wrote there by hand';
  await writeFile(path, `${secret}\n`);
  await chmod(path, 0o644);
  expect(await keptSecret(folder)).toBe(secret);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it.each([
  ['an empty one', ''],
  ['blanks', ' \n'],
  ['one that is cut short', 'abcdefgh'],
])('refuses %s with one line, and leaves it alone', async (_, kept) => {
  await writeFile(path, kept);
  const refused = keptSecret(folder);
  await expect(refused).rejects.toThrow(ConfigurationError);
  await expect(refused).rejects.toThrow(/^DATA_DIR: .*token-secret is empty or cut short[^\n]*$/);
  expect(await readFile(path, 'utf8')).toBe(kept);
});
