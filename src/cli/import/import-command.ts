import { ConfigurationError } from '../../core/errors.ts';
import { failureLine } from '../failure-line.ts';
import { STOPPING, withInterrupts } from '../interrupts.ts';
import type { Outcome, Terminal } from '../output.ts';
import { describeFailure } from '../remote/describe-failure.ts';
import type { Remote } from '../remote/remote.ts';
import { showTransfer } from '../transfer-progress.ts';
import { createHasher } from './create-hasher.ts';
import { describeSummary } from './describe-import.ts';
import { findFiles } from './find-files.ts';
import { importFiles } from './import-files.ts';
import { watchFolder } from './watch-folder.ts';

export interface ImportCommand {
  sources: string[];
  parallel: string;
  watch?: true;
}

/**
 * Imports files into a dataset, and with `watch` keeps both equal until it is interrupted.
 *
 * @throws ConfigurationError when there is nothing to import
 */
export async function runImport(
  remote: Remote,
  { sources, parallel, watch }: ImportCommand,
  { err }: Terminal,
): Promise<Outcome> {
  if (!/^([1-9]|[1-5][0-9]|6[0-4])$/.test(parallel)) {
    throw new ConfigurationError('--parallel: must be a whole number from 1 to 64');
  }
  const atOnce = Number(parallel);
  if (watch) return watchFolder(remote, { sources, parallel: atOnce }, { err });
  const found = await findFiles(sources);
  const total = {
    files: found.files.length,
    bytes: found.files.reduce((sum, { size }) => sum + size, 0),
  };
  using progress = showTransfer(total, err);
  // Awaited, so that the progress is shown until the end.
  return await withInterrupts(
    () => progress.print(STOPPING),
    async ({ stopping, signal, cutBy }) => {
      const { summary, endedBy } = await importFiles({
        remote,
        found,
        hash: createHasher(),
        parallel: atOnce,
        stopping,
        signal,
        onFailure: (path, reason) => progress.print(failureLine(path, reason)),
        onProgress: progress.show,
      });
      if (endedBy) progress.print(failureLine(remote.url, describeFailure(endedBy)));
      return {
        data: { ...summary, ...(endedBy !== undefined && { error: describeFailure(endedBy) }) },
        text: describeSummary(summary),
        failed: summary.failed > 0 || endedBy !== undefined,
        cutBy: cutBy(),
      };
    },
  );
}
