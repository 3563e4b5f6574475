import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Removes what processes that ended half-way left of uploads.
 *
 * @param isShared whether other gateways may be receiving uploads into the same folder: then what
 *   is younger than a day may be theirs
 */
export async function clearSpool(
  spoolDir: string,
  { isShared }: { isShared: boolean },
): Promise<void> {
  if (!isShared) {
    await rm(spoolDir, { recursive: true, force: true });
    return;
  }
  const names = await readdir(spoolDir).catch(() => []);
  for (const name of names) {
    const path = join(spoolDir, name);
    // Its gateway may remove it at the same moment.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}
