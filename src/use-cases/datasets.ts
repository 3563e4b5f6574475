import { AppError } from '../core/errors.ts';
import type { Dataset } from '../generated/prisma/client.ts';
import type { Dependencies } from './dependencies.ts';
import type { DatasetCaller } from './guard.ts';

type Deps = Pick<Dependencies, 'prisma' | 'embeddings'>;

/**
 * The caller's dataset, if it has one by that name.
 *
 * @throws AppError EMBEDDING_MODEL_MISMATCH when its chunks were embedded by another model
 */
export async function findDataset(
  { prisma, embeddings }: Deps,
  { customerKey, datasetId }: DatasetCaller,
): Promise<Dataset | null> {
  const dataset = await prisma.dataset.findUnique({
    where: { customerKey_id: { customerKey, id: datasetId } },
  });
  if (dataset && dataset.chunkCount > 0 && dataset.embeddingModel !== embeddings.name) {
    throw new AppError('EMBEDDING_MODEL_MISMATCH', {
      indexed: dataset.embeddingModel,
      configured: embeddings.name,
    });
  }
  return dataset;
}

/** The caller's dataset, made when it is not there. An empty one takes the present model. */
export async function openDataset(deps: Deps, caller: DatasetCaller): Promise<Dataset> {
  const found = await findDataset(deps, caller);
  const embeddingModel = deps.embeddings.name;
  if (found?.embeddingModel === embeddingModel) return found;
  const { customerKey, datasetId: id } = caller;
  return deps.prisma.dataset.upsert({
    where: { customerKey_id: { customerKey, id } },
    create: { customerKey, id, embeddingModel },
    update: { embeddingModel },
  });
}
