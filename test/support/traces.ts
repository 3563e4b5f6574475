import { join } from 'node:path';
import type { Faults } from './faults.ts';
import type { TestGateway } from './gateway.ts';
import { filesBelow } from './storages.ts';

/** What there is of a dataset's files, in every place where something could be left. */
export async function tracesOf(
  { dataDir, storedPaths }: TestGateway,
  { deps }: Faults,
  datasetId: string,
) {
  const { prisma } = deps;
  const datasets = await prisma.dataset.findMany({ where: { id: datasetId } });
  return {
    records: await prisma.file.count({ where: { datasetId } }),
    chunks: await prisma.chunk.count({
      where: { datasetKey: { in: datasets.map(({ key }) => key) } },
    }),
    countedChunks: datasets.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
    pending: await prisma.pendingFile.count({
      where: { path: { contains: `/datasets/${datasetId}/` }, ...unfinished(prisma) },
    }),
    objects: (await storedPaths()).filter((path) => path.includes(`/datasets/${datasetId}/`))
      .length,
    /** Of all uploads that run. */
    spooled: (await filesBelow(join(dataDir, 'incoming'))).length,
  };
}

/** Intents but for those of which nothing is left, and which only wait for a second look. */
export function unfinished({ pendingFile: { fields } }: Faults['deps']['prisma']) {
  return { OR: [{ keepUntil: null }, { keepUntil: { not: { equals: fields.due } } }] };
}

export const NO_TRACES = {
  records: 0,
  chunks: 0,
  countedChunks: 0,
  pending: 0,
  objects: 0,
  spooled: 0,
};

/** Of so many whole files of one chunk each. */
export function wholeFiles(count: number): typeof NO_TRACES {
  return { ...NO_TRACES, records: count, chunks: count, countedChunks: count, objects: count };
}
