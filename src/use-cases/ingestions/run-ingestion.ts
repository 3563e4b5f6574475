import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, toPublicError, unavailable } from '../../core/errors.ts';
import type { Credits } from '../accounts/credits.ts';
import { ensureDataset } from '../datasets/datasets.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Replaced, resolveDuplicates } from '../files/duplicates.ts';
import { createIngest, type IngestDependencies } from '../files/ingest.ts';
import { type PreparedFile, prepareFile } from '../files/prepare-file.ts';
import { createRemoveFiles, type FileIntent } from '../files/remove-files.ts';
import { createStagedFiles } from '../files/staged-files.ts';
import { transcriptColumns } from '../files/transcribe.ts';
import { FILES_AT_ONCE } from '../files/upload-files.ts';
import { runTaskGroup } from '../task-group.ts';
import { OutdatedError } from '../use-case.ts';
import type { IngestionLeases, LeasedIngestion } from './ingestion-leases.ts';
import { createSkipStored } from './skip-stored.ts';

type Deps = IngestDependencies &
  Pick<Dependencies, 'prisma' | 'query' | 'openScratch' | 'isOutage' | 'log'> & {
    credits: Credits;
  };

const HEARTBEAT_MS = 15_000;
/** After so many attempts an ingestion fails: its gateways ended, or there was an outage each time. */
const MAX_ATTEMPTS = 5;

/**
 * Works on an ingestion: reads the stored copies, indexes the chunks, and publishes all files in one
 * transaction. A failure that is not an outage fails it; then none of its files is left, and its
 * charge is refunded.
 */
export function createRunIngestion(deps: Deps, leases: IngestionLeases) {
  const { index, storage, openScratch, isOutage, log } = deps;
  const stagedFiles = createStagedFiles(deps);
  const removeFiles = createRemoveFiles(deps);
  const ingest = createIngest(deps);
  const skipStored = createSkipStored(deps);

  /** @param stopping aborted when the gateway stops: the ingestion is released */
  return async function runIngestion(
    leased: LeasedIngestion,
    stopping: AbortSignal,
  ): Promise<void> {
    const lost = new AbortController();
    const timer = setInterval(() => {
      leases.renew(leased).then(
        (isOurs) => isOurs || lost.abort(new Error('the lease was taken over')),
        (err: unknown) => log.warn({ err }, 'the heartbeat of an ingestion failed'),
      );
    }, HEARTBEAT_MS);
    timer.unref();
    try {
      if (leased.attempts > MAX_ATTEMPTS) throw new Error('an ingestion ended its gateways');
      await work(leased, AbortSignal.any([stopping, lost.signal]));
    } catch (error) {
      if (!lost.signal.aborted) await endFailed(leased, error, stopping);
    } finally {
      clearInterval(timer);
    }
  };

  async function work(leased: LeasedIngestion, signal: AbortSignal): Promise<void> {
    const { customerKey } = leased;
    const { key: datasetKey } = await ensureDataset(deps, leased);
    await skip(leased);
    // Left by an earlier gateway.
    const loaderKeys = leased.intents.map(({ loaderKey }) => loaderKey);
    await index.remove(customerKey, loaderKeys);
    const { folder, discard } = await openScratch();
    try {
      const incoming = leased.files.map((file, at) => ({
        ...prepareFile(
          // Its metadata was completed when it was received.
          { ...leased, datasetKey, filters: [] },
          leased,
          { file: { ...file, path: join(folder, String(at)) }, kind: file.kind },
          { ...file, loaderKey: BigInt(file.loaderKey) },
        ),
        isStored: true,
      }));
      await runTaskGroup(
        incoming,
        { concurrency: FILES_AT_ONCE, signal },
        async (one, groupSignal) => {
          const copy = createWriteStream(one.file.path, { mode: 0o600 });
          await pipeline(await storage.get(one.path, groupSignal), copy, { signal: groupSignal });
          const transcript = await ingest(one, groupSignal);
          if (transcript) Object.assign(one.record, transcriptColumns(transcript));
          await leases.count(leased);
        },
      );
      await publish(leased, datasetKey, incoming);
    } finally {
      await discard();
    }
  }

  /** Publishes the files; without those that have become duplicates while they were ingested. */
  async function publish(
    leased: LeasedIngestion,
    datasetKey: number,
    incoming: PreparedFile[],
  ): Promise<void> {
    for (;;) {
      const { customerKey, customerId, intents, files, duplicates } = leased;
      const { onDuplicate = 'KEEP_BOTH', filters = [] } = duplicates ?? {};
      const kept = new Set(intents.map(({ loaderKey }) => loaderKey));
      const records = incoming.filter(({ scope }) => kept.has(scope.loaderKey));
      let replaced: Replaced = { files: [], intents: [] };
      try {
        await stagedFiles.publish(
          { customerKey, customerId, files: intents },
          {
            datasetKey,
            records: records.map(({ record }) => record),
            charge: undefined,
            lockDataset: duplicates !== null,
            before: async (tx) => {
              const owner = { ...leased, filters };
              replaced = await resolveDuplicates(deps, tx, owner, { onDuplicate, files });
            },
            after: (tx) => leases.complete(tx, leased, replaced),
          },
        );
        return await remove(leased, replaced.intents);
      } catch (error) {
        if (!(error instanceof OutdatedError)) throw error;
      }
      await skip(leased);
    }
  }

  /** Skips files that were added to the dataset meanwhile. */
  async function skip(leased: LeasedIngestion): Promise<void> {
    const dropped = await skipStored(leased);
    if (dropped.length === 0) return;
    await stagedFiles.withdraw({ ...leased, files: dropped });
    await remove(leased, dropped);
  }

  async function remove(
    { id, customerKey, customerId, requestId }: LeasedIngestion,
    files: FileIntent[],
  ): Promise<void> {
    if (files.length === 0) return;
    await removeFiles(customerKey, files, { ingestionId: id, customerId, requestId });
  }

  async function endFailed(
    leased: LeasedIngestion,
    error: unknown,
    stopping: AbortSignal,
  ): Promise<void> {
    const { id, customerKey, customerId, requestId, intents, attempts } = leased;
    const details = { ingestionId: id, customerId, requestId };
    try {
      if (stopping.aborted) return await leases.handOver(leased);
      const isAway = isOutage(error);
      if (isAway && attempts < MAX_ATTEMPTS) {
        log.warn({ err: error, ...details }, 'an ingestion is tried again later');
        return await leases.retryLater(leased, 5 * 2 ** attempts);
      }
      if (!(error instanceof AppError))
        log.error({ err: error, ...details }, 'an ingestion failed');
      // Not if only the reply to its completion was lost.
      const isFailed = await leases.fail(leased, toPublicError(isAway ? unavailable() : error));
      if (!isFailed) return;
      await stagedFiles.withdraw({ customerKey, customerId, files: intents });
      await removeFiles(customerKey, intents, details);
    } catch (err) {
      log.error(
        { err, ...details },
        'a failed ingestion is left to another gateway or the sweeper',
      );
    }
  }
}
