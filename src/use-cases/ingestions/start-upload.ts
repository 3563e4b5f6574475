import { randomUUID } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { captureIn } from '../accounts/charge-statements.ts';
import { costOf } from '../accounts/cost.ts';
import type { Dependencies } from '../dependencies.ts';
import { acceptUpload } from '../files/accept-upload.ts';
import type { Deduplicated } from '../files/duplicates.ts';
import { type IngestDependencies, storeCopy } from '../files/ingest.ts';
import type { PreparedFile } from '../files/prepare-file.ts';
import { createPrepareUpload } from '../files/prepare-upload.ts';
import type { Upload, UploadInput } from '../files/read-upload.ts';
import type { ReceiveRemote } from '../files/receive-remote.ts';
import type { FileIntent } from '../files/remove-files.ts';
import { createStagedFiles, matchesFiles } from '../files/staged-files.ts';
import { createUndoUpload } from '../files/undo-upload.ts';
import { FILES_AT_ONCE } from '../files/upload-files.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { runTaskGroup } from '../task-group.ts';
import { findIngestion, type IngestionDuplicates, type IngestionFile } from './ingestion.ts';

type Deps = IngestDependencies & Pick<Dependencies, 'prisma' | 'query' | 'prices' | 'log'>;

export interface StartedUpload {
  ingestionId: string;
}

/** How long the intents of an ingestion protect its stored copies while no gateway works on it. */
export const INGESTION_LEASE_END = Prisma.sql`now() + interval '1 day'`;

/**
 * Begins an asynchronous upload: stores the copies, and records the ingestion, which takes over the
 * intents of the files and the charge. From then on, any gateway completes it or fails it.
 *
 * @param onStarted called when there is an ingestion to work on
 */
export function startUpload(deps: Deps, receive: ReceiveRemote, onStarted: () => void) {
  const { query, prisma } = deps;
  const prepareUpload = createPrepareUpload(deps);
  const stagedFiles = createStagedFiles(deps);
  const undoUpload = createUndoUpload(deps);

  return {
    ...acceptUpload(deps, receive),

    async run(caller, upload): Promise<StartedUpload> {
      await checkOpen(caller);
      const { incoming } = await prepareUpload(caller, upload);
      const records = incoming.map(({ record }) => record);
      const staged = await stagedFiles.open(caller, records);
      const ingestionId = randomUUID();
      try {
        const { signal } = caller;
        await runTaskGroup(incoming, { concurrency: FILES_AT_ONCE, signal }, (one, groupSignal) =>
          storeCopy(deps, one, groupSignal),
        );
        const plan = incoming.map(toIngestionFile);
        await record(caller, upload, { ingestionId, plan, intents: records });
      } catch (error) {
        // Perhaps only the reply was lost.
        const recorded = await findIngestion(deps, caller, ingestionId).catch(() => undefined);
        if (!recorded && !(await undoUpload(staged, caller))) throw error;
      } finally {
        staged.release();
      }
      onStarted();
      return { ingestionId };
    },
  } satisfies UseCase<'startUpload', UploadInput, Upload, Promise<StartedUpload>, Deduplicated>;

  async function checkOpen({ customerKey }: DatasetCaller): Promise<void> {
    const [row] = await query<{ open: number }>(Prisma.sql`
      SELECT count(*)::int AS open FROM ingestion
      WHERE customer_key = ${customerKey} AND finished IS NULL`);
    const limit = LIMITS.openIngestions;
    if ((row?.open ?? 0) >= limit) throw new AppError('TOO_MANY_INGESTIONS', { limit });
  }

  async function record(
    caller: DatasetCaller,
    upload: Deduplicated,
    {
      ingestionId,
      plan,
      intents,
    }: {
      ingestionId: string;
      plan: IngestionFile[];
      intents: FileIntent[];
    },
  ): Promise<void> {
    const { customerKey, datasetId, charge, requestId, attempt } = caller;
    const { chunkSize, chunkOverlap } = upload;
    const duplicates = duplicatesOf(deps, caller, upload);
    await prisma.$transaction(async (tx) => {
      const kept = await tx.$executeRaw`
        UPDATE pending_file SET due = ${INGESTION_LEASE_END}
        WHERE ${matchesFiles(customerKey, intents)} AND attempts = 0`;
      if (kept < intents.length) throw new Error('the sweeper has removed files of the upload');
      await captureIn(tx, charge);
      await tx.$executeRaw`
        INSERT INTO ingestion (customer_key, id, dataset_id, files, duplicates, chunk_size,
          chunk_overlap, file_count, charge, purse, purse_amount, request_id, due)
        VALUES (${customerKey}, ${ingestionId}::uuid, ${datasetId}, ${JSON.stringify(plan)}::jsonb,
          ${duplicates && JSON.stringify(duplicates)}::jsonb, ${chunkSize}, ${chunkOverlap}, ${plan.length}, ${charge?.id ?? null}::uuid,
          ${charge?.budgetTokenId ?? null}::uuid, ${charge?.budgetTokenId ? charge.amount.toFixed() : null}::numeric,
          ${requestId}, now())`;
      const started: StartedUpload = { ingestionId };
      await attempt?.keep(started, charge, tx);
    });
  }
}

function toIngestionFile({ file, kind, record }: PreparedFile): IngestionFile {
  return {
    fileId: record.id,
    loaderKey: String(record.loaderKey),
    path: record.path,
    originalName: record.originalName,
    mimeType: file.mimeType,
    size: record.size,
    contentHash: record.contentHash,
    extraMeta: record.extraMeta,
    kind,
  };
}

function duplicatesOf(
  { prices }: Pick<Dependencies, 'prices'>,
  { filters, charge }: DatasetCaller,
  { onDuplicate, skippedHashes }: Deduplicated,
): IngestionDuplicates | null {
  if (onDuplicate === 'KEEP_BOTH') return null;
  const price = charge
    ? { each: costOf(prices, 'startUpload').toFixed(), reason: charge.reason }
    : null;
  return { onDuplicate, filters, skipped: skippedHashes, replaced: [], price };
}
