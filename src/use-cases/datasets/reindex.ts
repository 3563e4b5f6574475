import { setTimeout } from 'node:timers/promises';
import { invalidInput } from '../../core/errors.ts';
import type { JsonObject } from '../../core/model.ts';
import { searchableText } from '../../core/searchable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ReindexProgress } from '../maintenance/maintenance.ts';
import { runTaskGroup } from '../task-group.ts';
import { OUTDATED_MS } from './datasets.ts';
import { createShadowIndex, type DatasetId } from './shadow-index.ts';

type Deps = Pick<Dependencies, 'prisma' | 'index' | 'embeddings'>;

/** Chunks that are embedded and added at once. */
const BATCH = 128;
const BATCHES_AT_ONCE = 4;

/**
 * Re-embeds the chunks of datasets that were indexed with another model.
 *
 * The copies in the shadow index are embedded from the stored text, while searches use the old index.
 * When the copies are complete, a transaction cuts over to them. An interrupted run continues with the
 * next call.
 *
 * @param which only the datasets of this customer, or with this id; all datasets by default
 * @param searchMs the time after which searches that began before a cut-over have ended
 * @throws AppError INVALID_INPUT when there is no such dataset
 */
export function createReindex({ prisma, index, embeddings }: Deps, searchMs = OUTDATED_MS) {
  const shadowIndex = createShadowIndex(prisma);

  return async function reindex(
    which: { customerKey?: number | undefined; datasetId?: string | undefined },
    onProgress: ReindexProgress,
  ): Promise<{ datasets: number; chunks: number }> {
    const model = embeddings.name;
    const datasets = await prisma.dataset.findMany({
      where: {
        ...(which.customerKey !== undefined && { customerKey: which.customerKey }),
        ...(which.datasetId !== undefined && { id: which.datasetId }),
      },
      orderBy: [{ customerKey: 'asc' }, { id: 'asc' }],
    });
    if (which.datasetId !== undefined && datasets.length === 0) {
      invalidInput(`there is no dataset ${which.datasetId}`);
    }
    const outdated = datasets.filter(({ embeddingModel }) => embeddingModel !== model);
    let chunks = 0;
    for (const dataset of outdated) {
      chunks += await embedAnew(dataset, model, (...done) => onProgress(dataset.id, ...done));
    }
    if (outdated.length > 0) await setTimeout(searchMs);
    for (const dataset of datasets) await shadowIndex.drop(dataset);
    return { datasets: outdated.length, chunks };
  };

  /** @returns how many chunks were embedded */
  async function embedAnew(
    dataset: DatasetId,
    model: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<number> {
    const { customerKey } = dataset;
    const shadowKey = await shadowIndex.open(dataset, model);
    let done = 0;
    // The next round copies what is uploaded meanwhile.
    do {
      const missing = await shadowIndex.missing(dataset);
      const total = done + missing.length;
      onProgress(done, total);
      // When a batch fails, those that run are completed: the next call need not embed them again.
      await runTaskGroup(batchesOf(missing), { concurrency: BATCHES_AT_ONCE }, async (keys) => {
        await copy(customerKey, shadowKey, keys);
        done += keys.length;
        onProgress(done, total);
      });
    } while (!(await shadowIndex.cutOver(dataset, model)));
    return done;
  }

  async function copy(customerKey: number, datasetKey: number, keys: bigint[]): Promise<void> {
    const chunks = await prisma.chunk.findMany({
      where: { customerKey, key: { in: keys } },
      select: { loaderKey: true, position: true, content: true, metadata: true },
    });
    const stored = chunks.map((chunk) => ({ ...chunk, metadata: chunk.metadata as JsonObject }));
    const vectors = await embeddings.embedTexts(stored.map(searchableText));
    const embedded = stored.map((chunk, at) => ({
      ...chunk,
      vector: vectors[at] as Float32Array,
    }));
    for (const [loaderKey, ofOne] of Map.groupBy(embedded, (chunk) => chunk.loaderKey)) {
      const scope = { customerKey, datasetKey, loaderKey };
      await index.add(
        scope,
        ofOne,
        ofOne.map(({ vector }) => vector),
      );
    }
  }
}

function batchesOf(keys: bigint[]): bigint[][] {
  return Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, at) =>
    keys.slice(at * BATCH, (at + 1) * BATCH),
  );
}
