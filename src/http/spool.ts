import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../system/make-folder.ts';

/** A folder without a heartbeat for this long was left by a process that has ended. */
const ABANDONED_MS = 15 * 60_000;
const HEARTBEAT_MS = 60_000;

/** A folder for the files of one upload. */
export interface SpoolFolder {
  folder: string;
  /** Removes it with its contents. */
  discard(): Promise<void>;
}

/** Creates a folder below `spoolDir`, which is created when it does not exist. */
export async function openSpoolFolder(spoolDir: string): Promise<SpoolFolder> {
  await makeFolder(spoolDir, { mode: 0o700 });
  const folder = await mkdtemp(join(spoolDir, 'upload-'));
  const timer = setInterval(() => {
    const now = new Date();
    // If this fails for 15 minutes, the upload fails too.
    utimes(folder, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    folder,
    async discard() {
      clearInterval(timer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes uploads left by processes that have ended; other gateways may use the same folder. */
export async function clearSpool(spoolDir: string): Promise<void> {
  for (const name of await readdir(spoolDir).catch(() => [])) {
    const path = join(spoolDir, name);
    // Its gateway may remove it concurrently.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
