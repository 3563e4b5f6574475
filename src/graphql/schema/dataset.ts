import { datasetCursor } from '../../core/cursor.ts';
import type { DatasetSummary } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { orNull } from '../global-id.ts';
import { CONNECTION, type PageArguments, toConnection } from './paging.ts';
import { ViewerRef } from './viewer.ts';

export const DatasetRef = builder.objectRef<DatasetSummary>('Dataset');

builder.node(DatasetRef, {
  description: 'A dataset: a set of files that are searched together.',
  id: { resolve: ({ datasetId }) => datasetId },
  loadOne: (datasetId, { useCases, call }) =>
    orNull(async () => {
      const { items } = await useCases.listDatasets(call, { datasetId });
      return items[0] ?? null;
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

const DATASETS =
  "The customer's datasets, ordered by id. With a frontend token, only the token's dataset.";

builder.queryField('datasets', (t) =>
  t.field({
    type: DatasetConnection,
    nullable: true,
    description: DATASETS,
    extensions: CONNECTION,
    args: t.arg.connectionArgs(),
    resolve: (_, page, context) => listDatasets(page, context),
  }),
);

builder.objectField(ViewerRef, 'datasets', (t) =>
  t.field({
    type: DatasetConnection,
    description: DATASETS,
    extensions: CONNECTION,
    args: t.arg.connectionArgs(),
    resolve: (_, page, context) => listDatasets(page, context),
  }),
);

async function listDatasets(page: PageArguments, { useCases, call }: GraphqlContext) {
  return toConnection(await useCases.listDatasets(call, page), page, datasetCursor);
}
