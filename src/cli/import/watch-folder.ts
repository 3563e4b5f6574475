import { stat } from 'node:fs/promises';
import { ConfigurationError } from '../../core/errors.ts';
import { failureLine } from '../failure-line.ts';
import { STOPPING, withInterrupts } from '../interrupts.ts';
import { type Outcome, printable, type Terminal } from '../output.ts';
import { describeFailure, isFailureOfRemote, statusOf } from '../remote/describe-failure.ts';
import type { Remote } from '../remote/remote.ts';
import { createHasher } from './create-hasher.ts';
import { describeSummary } from './describe-import.ts';
import { type Found, findInFolder } from './find-files.ts';
import { importFiles } from './import-files.ts';
import type { ImportSummary, Refusals } from './import-progress.ts';
import { readExport } from './read-export.ts';
import { watchChanges } from './watch-changes.ts';

/** After an outage, in milliseconds. */
const RETRY_MS = 30_000;

/**
 * Keeps a dataset in sync with a folder until it is interrupted: new files are uploaded, changed files
 * replaced, and removed files deleted. Files that no import uploaded stay.
 *
 * @throws ConfigurationError when there is no such folder, or it disappears
 */
export async function watchFolder(
  remote: Remote,
  { sources, parallel }: { sources: string[]; parallel: number },
  { err }: Pick<Terminal, 'err'>,
): Promise<Outcome> {
  const folder = await theFolder(sources);
  const tell = (line: string) => err(`${line}\n`);
  const hash = createHasher();
  const refused: Refusals = new Map();
  let total: ImportSummary | undefined;
  let hadFiles = false;

  return withInterrupts(
    () => tell(STOPPING),
    async ({ stopping, signal }) => {
      using changes = watchChanges(folder, stopping);
      while (!stopping.aborted) {
        const found = await findInFolder(await theFolder([folder]), changes.follow);
        changes.release();
        const isComplete = await pass(found, stopping, signal);
        await changes.next(isComplete ? undefined : RETRY_MS);
      }
      return {
        data: total ?? {},
        text: total ? describeSummary(total) : 'Nothing was imported.',
        failed: total === undefined || total.failed > 0,
      };
    },
  );

  /** @returns whether it was completed */
  async function pass(found: Found, stopping: AbortSignal, signal: AbortSignal): Promise<boolean> {
    // A drive that is not mounted is an empty folder, also after something changed in it.
    hadFiles ||= found.files.length > 0;
    try {
      const { summary, endedBy } = await importFiles({
        remote,
        found,
        hash,
        mirror: hadFiles,
        parallel,
        refused,
        stopping,
        signal,
        onFailure: (path, reason) => tell(failureLine(path, reason)),
      });
      const { imported, removed, failed } = summary;
      if (!total || imported + removed > 0 || failed !== total.failed) {
        tell(describeSummary(summary));
      }
      total = {
        ...summary,
        imported: imported + (total?.imported ?? 0),
        removed: removed + (total?.removed ?? 0),
        bytes: summary.bytes + (total?.bytes ?? 0),
      };
      if (endedBy) throw endedBy;
      return true;
    } catch (error) {
      const isRefused = [401, 403].includes(statusOf(error) ?? 0);
      if (isRefused || !isFailureOfRemote(error)) throw error;
      tell(
        `${failureLine(remote.url, describeFailure(error))}; trying again in ${RETRY_MS / 1000} s`,
      );
      return false;
    }
  }
}

async function theFolder([folder = '', ...others]: string[]): Promise<string> {
  if (others.length > 0) throw new ConfigurationError('--watch takes exactly one folder');
  const info = await stat(folder).catch(() => undefined);
  if (!info?.isDirectory()) {
    throw new ConfigurationError(`--watch: ${printable(folder)} is no folder`);
  }
  if (await readExport(folder)) {
    throw new ConfigurationError(`--watch: ${printable(folder)} is an export`);
  }
  return folder;
}
