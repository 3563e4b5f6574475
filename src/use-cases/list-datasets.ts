import { z } from 'zod';
import { CAPS } from '../core/policy.ts';
import type { Dependencies } from './dependencies.ts';
import type { UseCase } from './guard.ts';
import { isStorable, readDatasetId, readInput, readWholeNumber } from './read-input.ts';

export interface DatasetSummary {
  datasetId: string;
  embeddingModel: string;
  fileCount: number;
  created: Date;
}

export interface DatasetsInput {
  /** Only this one. */
  datasetId?: unknown;
  /** Datasets a page, 1 to 1000; 100 unless given. */
  limit?: unknown;
  /** Only what comes after the dataset with this id. */
  after?: unknown;
}

export interface DatasetPage {
  datasets: DatasetSummary[];
  hasNext: boolean;
}

const cursor = z
  .string('cursor must be a string')
  .refine(isStorable, 'cursor is not one that a list has given')
  .nullish();

/** The datasets that the caller may see, by id: all of the customer's, or a token's one. */
export function listDatasets({ prisma }: Pick<Dependencies, 'prisma'>) {
  return {
    read: (input: DatasetsInput) => ({
      limit: readWholeNumber(input.limit, 'limit', { min: 1, max: CAPS.filesPerPage, preset: 100 }),
      after: readInput(cursor, input.after) ?? undefined,
      only: readDatasetId(input.datasetId),
    }),

    async run({ customerKey, principal }, { limit, after, only }): Promise<DatasetPage> {
      const own = principal.kind === 'token' ? principal.datasetId : undefined;
      const rows = await prisma.dataset.findMany({
        where: { customerKey, AND: [{ id: own }, { id: only }, { id: { gt: after } }] },
        orderBy: { id: 'asc' },
        take: limit + 1,
        include: { _count: { select: { files: true } } },
      });
      return {
        datasets: rows.slice(0, limit).map(({ id, embeddingModel, created, _count }) => ({
          datasetId: id,
          embeddingModel,
          created,
          fileCount: _count.files,
        })),
        hasNext: rows.length > limit,
      };
    },
  } satisfies UseCase<
    'listDatasets',
    DatasetsInput,
    { limit: number; after: string | undefined; only: string | undefined },
    Promise<DatasetPage>
  >;
}
