import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../core/errors.ts';

/**
 * Takes the data folder for this process alone, making it (mode 0700) when it is not there.
 *
 * @returns the release, or `undefined` when another process holds the folder
 * @throws ConfigurationError when the folder cannot be made or written to
 */
export async function lockDataFolder(dataDir: string): Promise<(() => void) | undefined> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await takeLock(join(dataDir, 'lock'));
  } catch (error) {
    throw new ConfigurationError(`DATA_DIR: cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Takes a lock for this process alone.
 *
 * The lock is SQLite's: a lock of the operating system that ends with the process, however it
 * ends, and that leaves nothing stale behind. Node offers no other.
 *
 * @param path a file of its own, which is made when it is not there
 * @returns the release, or `undefined` when another process holds it
 */
export async function takeLock(path: string): Promise<(() => void) | undefined> {
  const lock = new DatabaseSync(path);
  await chmod(path, 0o600);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    return undefined;
  }
  return () => lock.close();
}
