import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import { captureIn } from '../accounts/charge-statements.ts';
import { costOf } from '../accounts/cost.ts';
import { ensureDataset } from '../datasets/datasets.ts';
import type { Dependencies } from '../dependencies.ts';
import { acceptUpload } from '../files/accept-upload.ts';
import type { Deduplicated } from '../files/duplicates.ts';
import { createIdentify } from '../files/identify.ts';
import type { IngestDependencies } from '../files/ingest.ts';
import { type FileLocation, newLocation, prepareFile } from '../files/prepare-file.ts';
import type { Upload, UploadInput } from '../files/read-upload.ts';
import type { ReceiveRemote } from '../files/receive-remote.ts';
import { createRemoveFiles } from '../files/remove-files.ts';
import { createStagedFiles, matchesFiles, type StagedFiles } from '../files/staged-files.ts';
import { FILES_AT_ONCE } from '../files/upload-files.ts';
import { requireMatches } from '../files/with-demanded.ts';
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
  const { query, prisma, log } = deps;
  const identify = createIdentify(deps);
  const stagedFiles = createStagedFiles(deps);
  const removeFiles = createRemoveFiles(deps);

  return {
    ...acceptUpload(deps, receive),

    async run(caller, upload): Promise<StartedUpload> {
      await checkOpen(caller);
      const kinds = await Promise.all(upload.files.map(identify));
      const { key: datasetKey } = await ensureDataset(deps, caller);
      const locations = upload.files.map((file) => newLocation(caller, file));
      const prepared = upload.files.map((file, at) => {
        const kind = kinds[at] as FileKind;
        return prepareFile(
          { ...caller, datasetKey },
          upload,
          { file, kind },
          locations[at] as FileLocation,
        );
      });
      await requireMatches(deps, caller.filters, prepared);
      const staged = await stagedFiles.open(caller, locations);
      const ingestionId = randomUUID();
      try {
        await storeCopies(caller, upload, kinds, locations);
        const plan = upload.files.map(({ path: _, ...file }, at) => ({
          ...file,
          ...{ ...locations[at], loaderKey: String(locations[at]?.loaderKey) },
          extraMeta: prepared[at]?.extraMeta,
          kind: kinds[at],
        })) as IngestionFile[];
        await record(caller, upload, { ingestionId, plan, locations });
      } catch (error) {
        // Perhaps only the reply was lost.
        const recorded = await findIngestion(deps, caller, ingestionId).catch(() => undefined);
        if (!recorded) {
          await undo(staged, caller);
          throw error;
        }
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

  async function storeCopies(
    { signal }: DatasetCaller,
    { files }: Upload,
    kinds: FileKind[],
    locations: FileLocation[],
  ): Promise<void> {
    const all = files.map((file, at) => ({ file, kind: kinds[at], location: locations[at] }));
    await runTaskGroup(
      all,
      { concurrency: FILES_AT_ONCE, signal },
      async ({ file, kind, location }, groupSignal) => {
        if (!kind || !location) return;
        const options = { contentType: kind.mimeType, size: file.size, signal: groupSignal };
        await deps.storage.put(location.path, () => createReadStream(file.path), options);
      },
    );
  }

  async function record(
    caller: DatasetCaller,
    upload: Deduplicated,
    {
      ingestionId,
      plan,
      locations,
    }: {
      ingestionId: string;
      plan: IngestionFile[];
      locations: FileLocation[];
    },
  ): Promise<void> {
    const { customerKey, datasetId, charge, requestId, attempt } = caller;
    const { chunkSize, chunkOverlap } = upload;
    const duplicates = duplicatesOf(deps, caller, upload);
    await prisma.$transaction(async (tx) => {
      const kept = await tx.$executeRaw`
        UPDATE pending_file SET due = ${INGESTION_LEASE_END}
        WHERE ${matchesFiles(customerKey, locations)} AND attempts = 0`;
      if (kept < locations.length) throw new Error('the sweeper has removed files of the upload');
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

  async function undo(staged: StagedFiles, { requestId, customerId }: DatasetCaller) {
    const details = { requestId, customerId };
    try {
      await stagedFiles.withdraw(staged);
      await removeFiles(staged.customerKey, staged.files, details);
    } catch (err) {
      log.error({ err, ...details }, 'a failed upload is left to the sweeper');
    }
  }
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
