import { access, chmod, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../core/errors.ts';
import { makeFolder } from '../../system/make-folder.ts';

/**
 * Locks the data folder for this process. Creates it (mode 0700) if it does not exist.
 *
 * @returns a function that unlocks it, or `undefined` if another process has locked it
 * @throws ConfigurationError if the folder cannot be created or written to
 */
export async function lockDataFolder(dataDir: string): Promise<(() => void) | undefined> {
  try {
    await makeFolder(dataDir, { mode: 0o700 });
    // SQLite would not say why.
    await access(dataDir, constants.W_OK);
    return await takeLock(join(dataDir, 'lock'));
  } catch (error) {
    throw new ConfigurationError(`DATA_DIR: cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Takes an exclusive lock for this process.
 *
 * It uses a SQLite file, because SQLite takes a lock of the operating system, which is released
 * however the process ends. Node has no API for such locks.
 *
 * @param path a file used for nothing else, created if it does not exist
 * @returns a function that releases the lock, or `undefined` if another process holds it
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
