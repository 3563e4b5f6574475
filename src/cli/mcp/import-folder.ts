import { createHasher } from '../import/create-hasher.ts';
import { describeSummary } from '../import/describe-import.ts';
import { findFiles } from '../import/find-files.ts';
import { importFiles } from '../import/import-files.ts';
import { printable } from '../output.ts';
import type { Remote } from '../remote/remote.ts';

export interface ImportFolderOptions {
  remote: Remote;
  folder: string;
  signal: AbortSignal;
  /** Called with a line for each file that cannot be imported, and one at the end. */
  tell: (line: string) => void;
}

/** Imports a folder, and reports the result in lines of text. */
export async function importFolder({ remote, folder, signal, tell }: ImportFolderOptions) {
  const { summary, endedBy } = await importFiles({
    remote,
    found: await findFiles([folder]),
    hash: createHasher(),
    // Questions are answered meanwhile.
    parallel: 1,
    stopping: signal,
    signal,
    onFailure: (path, reason) => tell(`${printable(path)}: ${printable(reason)}`),
  });
  if (endedBy) throw endedBy;
  tell(describeSummary(summary));
}
