import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../core/errors.ts';

/**
 * Locks the data folder for this process. Creates it (mode 0700) if it does not exist.
 *
 * @returns a function that unlocks it, or `undefined` if another process has locked it
 * @throws ConfigurationError if the folder cannot be created or written to
 */
export async function lockDataFolder(dataDir: string): Promise<(() => void) | undefined> {
  try {
    await makeFolder(dataDir);
    // SQLite would not say why.
    await access(dataDir, constants.W_OK);
    return await takeLock(join(dataDir, 'lock'));
  } catch (error) {
    throw new ConfigurationError(`DATA_DIR: cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Creates a folder, and those above it that are missing.
 *
 * The option `recursive` of `mkdir` would try forever in a folder that takes no others, such as /proc.
 *
 * @param path absolute
 */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have created it since.
    if (!(await isFolder(path))) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
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
