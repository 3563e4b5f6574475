import { AppError } from '../../core/errors.ts';
import { type Dataset, Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller } from '../guard.ts';

/** The part of a dataset that searches and uploads need. */
export type FoundDataset = Pick<Dataset, 'key' | 'chunkCount' | 'embeddingModel' | 'version'>;

/**
 * How long the chunks of a dataset that was found stay, in milliseconds, when a reindex then switches the
 * dataset to another model.
 */
export const OUTDATED_MS = 1_000;

/**
 * The caller's dataset, if it exists.
 *
 * @throws AppError EMBEDDING_MODEL_MISMATCH when its chunks were embedded by another model
 */
export async function findDataset(
  { query, embeddings }: Pick<Dependencies, 'query' | 'embeddings'>,
  { customerKey, datasetId }: Pick<DatasetCaller, 'customerKey' | 'datasetId'>,
): Promise<FoundDataset | undefined> {
  const [dataset] = await query<FoundDataset>(Prisma.sql`
    SELECT key, chunk_count AS "chunkCount", embedding_model AS "embeddingModel", version
    FROM dataset WHERE customer_key = ${customerKey} AND id = ${datasetId}`);
  if (dataset && dataset.chunkCount > 0 && dataset.embeddingModel !== embeddings.name) {
    throw new AppError('EMBEDDING_MODEL_MISMATCH', {
      indexed: dataset.embeddingModel,
      configured: embeddings.name,
    });
  }
  return dataset;
}

/**
 * The caller's dataset, which is created when it does not exist. An empty one gets the current model.
 *
 * @throws AppError EMBEDDING_MODEL_MISMATCH when its chunks were embedded by another model
 */
export async function ensureDataset(
  deps: Pick<Dependencies, 'query' | 'embeddings'>,
  caller: Pick<DatasetCaller, 'customerKey' | 'datasetId'>,
): Promise<FoundDataset> {
  const model = deps.embeddings.name;
  const found = await findDataset(deps, caller);
  if (found?.embeddingModel === model) return found;
  const [opened] = await deps.query<FoundDataset>(Prisma.sql`
    INSERT INTO dataset (customer_key, id, embedding_model)
    VALUES (${caller.customerKey}, ${caller.datasetId}, ${model})
    ON CONFLICT (customer_key, id) DO UPDATE SET embedding_model = excluded.embedding_model
      WHERE dataset.chunk_count = 0
    RETURNING key, chunk_count AS "chunkCount", embedding_model AS "embeddingModel", version`);
  // Chunks were added concurrently, with this model or another one.
  return opened ?? ensureDataset(deps, caller);
}
