import { datasetCursor } from '../../core/cursor.ts';
import { RANGES } from '../../core/limits.ts';
import type { DatasetSummary } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { describeRange } from '../describe-range.ts';
import { orNull } from '../global-id.ts';
import { sizeOfPage, toConnection } from './paging.ts';

export const DatasetRef = builder.objectRef<DatasetSummary>('Dataset');

builder.node(DatasetRef, {
  description: 'A dataset: a set of files that are searched together.',
  id: { resolve: ({ datasetId }) => datasetId },
  loadOne: (datasetId, { useCases, call }) =>
    orNull(async () => {
      const { datasets } = await useCases.listDatasets(call, { datasetId });
      return datasets[0] ?? null;
    }),
  fields: (t) => ({
    datasetId: t.exposeID('datasetId', { description: 'The id of the dataset, as used in REST.' }),
    embeddingModel: t.exposeString('embeddingModel', {
      description: 'The embedding model its files were indexed with.',
    }),
    fileCount: t.exposeInt('fileCount', { description: 'The number of files.' }),
    createdAt: t.expose('created', {
      type: 'DateTime',
      description: 'When the dataset was created, by its first upload.',
    }),
  }),
});

const DatasetConnection = builder.connectionObject(
  { type: DatasetRef, name: 'DatasetConnection', description: 'A page of datasets.' },
  { name: 'DatasetEdge', description: 'A dataset and its position in the list.' },
);

builder.queryField('datasets', (t) =>
  t.field({
    type: DatasetConnection,
    nullable: true,
    description:
      "The customer's datasets, ordered by id. With a frontend token, only the token's dataset.",
    extensions: { listSize: sizeOfPage },
    args: {
      first: t.arg.int({
        description: `The maximum number of datasets to return: ${describeRange(RANGES.pageSize)}.`,
      }),
      after: t.arg.string({ description: 'Return only datasets after this cursor.' }),
    },
    async resolve(_, page, { useCases, call }) {
      const { first: limit, after } = page;
      const { datasets, hasNext, total } = await useCases.listDatasets(call, { limit, after });
      const found = { items: datasets, more: hasNext };
      return { ...toConnection(found, page, false, datasetCursor), total };
    },
  }),
);
