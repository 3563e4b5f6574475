import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import pMap from 'p-map';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { failureLine } from '../failure-line.ts';
import { STOPPING, withInterrupts } from '../interrupts.ts';
import { isFailureOfSystem } from '../is-failure-of-system.ts';
import type { Outcome, Terminal } from '../output.ts';
import { describeFailure, isFailureOfRemote, statusOf } from '../remote/describe-failure.ts';
import type { Remote } from '../remote/remote.ts';
import { inBytes } from '../sizes.ts';
import { showTransfer } from '../transfer-progress.ts';
import { copyName } from './copy-name.ts';
import { DamagedError, type Download, downloadFile } from './download-file.ts';
import {
  COPIES_FOLDER,
  type ExportedRecord,
  RECORD_FIELDS,
  RECORDS_FILE,
} from './export-format.ts';

type RecordedFile = Omit<ExportedRecord, 'copy'> & Download;

/** Transcriptions of recordings are long. */
const LIST = { fields: [...RECORD_FIELDS, 'permanentUrl'] as const, pageSize: 20 };
const PARALLEL = 4;

/**
 * Writes the records of a dataset, as JSON Lines, and its stored copies into a folder. Existing copies are
 * kept, so that an interrupted export can be continued; the records are rewritten, and exist when the
 * export is complete.
 *
 * @throws ConfigurationError when the folder cannot be written to
 */
export async function exportDataset(
  remote: Remote,
  folder: string,
  { err }: Terminal,
): Promise<Outcome> {
  const summary = { exported: 0, skipped: 0, failed: 0, bytes: 0 };
  const done = { files: 0, bytes: 0 };
  const records = join(folder, RECORDS_FILE);
  const part = `${records}.part`;
  await makeFolder(folder).catch(cannotWrite);
  const output = createWriteStream(part);
  const written = finished(output);
  // It is awaited at the end, but may fail earlier.
  written.catch(() => {});
  using progress = showTransfer(await measure(remote), err);

  // Awaited, so that the progress is shown until the end.
  return await withInterrupts(
    () => progress.print(STOPPING),
    async ({ stopping, signal, cutBy }) => {
      const { client, datasetId } = remote;
      const files = until(stopping, client.list({ ...LIST, datasetId, signal }));
      await pMap(files, (file) => exportOne(file, signal), { concurrency: PARALLEL });
      output.end();
      await written.catch(cannotWrite);
      if (!cutBy()) await rename(part, records).catch(cannotWrite);
      return {
        data: summary,
        text: [
          `${summary.exported} exported (${inBytes(summary.bytes)})`,
          `${summary.skipped} already there`,
          `${summary.failed} failed`,
          ...(cutBy() ? ['cut short: run it again to continue'] : []),
        ].join(', '),
        failed: summary.failed > 0,
        cutBy: cutBy(),
      };
    },
  );

  async function exportOne(file: RecordedFile, signal: AbortSignal): Promise<void> {
    const { permanentUrl, ...record } = file;
    const copy = `${COPIES_FOLDER}/${file.fileId}/${copyName(file.originalName)}`;
    try {
      const isNew = await downloadFile(remote.client, file, join(folder, copy), signal);
      summary[isNew ? 'exported' : 'skipped']++;
      summary.bytes += isNew ? (file.size ?? 0) : 0;
      output.write(`${JSON.stringify({ ...record, copy } satisfies ExportedRecord)}\n`);
    } catch (error) {
      if (isFailureOfSystem(error)) return cannotWrite(error);
      const isDamaged = error instanceof DamagedError;
      // If the storage cannot be reached, the other copies would fail, too.
      if (!isDamaged && (!isFailureOfRemote(error) || error.code === 'NETWORK')) throw error;
      if (await isGone(remote, file.fileId, signal)) return;
      summary.failed++;
      progress.print(failureLine(file.originalName, describeFailure(error)));
    }
    done.files++;
    done.bytes += file.size ?? 0;
    progress.show({ ...done });
  }
}

async function measure({ client, datasetId }: Remote): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 };
  const sizes = { fields: ['size'] as const, pageSize: 1000 };
  for await (const { size } of client.list({ ...sizes, datasetId })) {
    total.files++;
    total.bytes += size ?? 0;
  }
  return total;
}

async function* until<T>(stopping: AbortSignal, items: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) {
    if (stopping.aborted) return;
    yield item;
  }
}

/** Whether a file was deleted since it was listed. */
async function isGone(
  { client, datasetId }: Remote,
  fileId: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.get(fileId, { datasetId, signal });
    return false;
  } catch (error) {
    if (statusOf(error) === 404) return true;
    throw error;
  }
}

function cannotWrite(error: unknown): never {
  throw new ConfigurationError(`The export cannot be written: ${reasonOf(error)}`);
}
