import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder, and those above it that are missing.
 *
 * The option `recursive` of `mkdir` would try forever in a folder that takes no others, such as /proc.
 *
 * @param mode of the folders that are created, as for `mkdir`
 * @throws the error of `mkdir`
 */
export async function makeFolder(path: string, { mode }: { mode?: number } = {}): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above, { mode });
  await mkdir(path, { mode }).catch(async (error: unknown) => {
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
