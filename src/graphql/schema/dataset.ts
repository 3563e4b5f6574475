import type { DatasetSummary } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { orNull } from '../global-id.ts';
import { sizeOfPage, toConnection } from './paging.ts';

const DatasetRef = builder.objectRef<DatasetSummary>('Dataset');

builder.node(DatasetRef, {
  description: 'A dataset: files that are searched together.',
  id: { resolve: ({ datasetId }) => datasetId },
  loadOne: (datasetId, { useCases, call }) =>
    orNull(async () => {
      const { datasets } = await useCases.listDatasets(call, { datasetId });
      return datasets[0] ?? null;
    }),
  fields: (t) => ({
    datasetId: t.exposeID('datasetId', { description: 'Its id, as REST knows it.' }),
    embeddingModel: t.exposeString('embeddingModel', {
      description: 'The model that embedded its files.',
    }),
    fileCount: t.exposeInt('fileCount', { description: 'How many files it has.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was first used.' }),
  }),
});

const DatasetConnection = builder.connectionObject(
  { type: DatasetRef, name: 'DatasetConnection', description: 'A page of datasets.' },
  { name: 'DatasetEdge', description: 'A dataset and its place in the list.' },
);

builder.queryField('datasets', (t) =>
  t.field({
    type: DatasetConnection,
    description: "All datasets of the customer by id; with a frontend token, the token's own.",
    extensions: { listSize: sizeOfPage },
    args: {
      first: t.arg.int({ description: 'The most datasets to take; 100 unless given.' }),
      after: t.arg.string({ description: 'Only what comes after this cursor.' }),
    },
    async resolve(_, page, { useCases, call }) {
      const { first: limit, after } = page;
      const { datasets, hasNext } = await useCases.listDatasets(call, { limit, after });
      const found = { items: datasets, more: hasNext };
      return toConnection(found, page, false, ({ datasetId }) => datasetId);
    },
  }),
);
