import type { DeletedFile } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { fileNodeId } from '../global-id.ts';
import { DatasetRef } from './dataset.ts';
import { FileRef } from './file.ts';

const DeleteFileInput = builder.inputType('DeleteFileInput', {
  description: 'The file to delete.',
  fields: (t) => ({
    datasetId: t.id({ description: "The dataset; defaults to the frontend token's dataset." }),
    fileId: t.id({ required: true, description: 'The id of the file.' }),
  }),
});

const DeleteFilePayload = builder.objectRef<DeletedFile>('DeleteFilePayload').implement({
  description: 'The result of `deleteFile`.',
  fields: (t) => ({
    deletedFileId: t.globalID({
      description: 'The global id of the deleted file, to remove it from a cache.',
      resolve: (file) => ({ type: FileRef, id: fileNodeId(file) }),
    }),
    fileId: t.exposeID('fileId', { description: 'The id of the deleted file, as used in REST.' }),
    dataset: t.field({
      type: DatasetRef,
      nullable: true,
      description: 'The dataset as it is afterwards.',
      resolve: ({ datasetId }, _, { datasets }) => datasets.load(datasetId),
    }),
  }),
});

builder.mutationField('deleteFile', (t) =>
  t.field({
    type: DeleteFilePayload,
    description: 'Permanently deletes a file: its embeddings, its stored copy and its record.',
    args: { input: t.arg({ type: DeleteFileInput, required: true, description: 'The file.' }) },
    resolve: (_, { input }, { useCases, call }) => useCases.deleteFile(call, input),
  }),
);

/** `datasetId`: the only dataset that was purged. */
type Purge = { deleted: number; datasetId?: string };

const PurgePayload = builder.objectRef<Purge>('PurgePayload').implement({
  description: 'The result of a purge.',
  fields: (t) => ({
    deleted: t.exposeInt('deleted', { description: 'The number of deleted files.' }),
    dataset: t.field({
      type: DatasetRef,
      nullable: true,
      description:
        'The dataset as it is afterwards; null when it does not exist, and for `purgeCustomer`.',
      resolve: ({ datasetId }, _, { datasets }) =>
        datasetId === undefined ? null : datasets.load(datasetId),
    }),
  }),
});

const PurgeDatasetInput = builder.inputType('PurgeDatasetInput', {
  description: 'The dataset to empty.',
  fields: (t) => ({ datasetId: t.id({ required: true, description: 'The dataset.' }) }),
});

builder.mutationField('purgeDataset', (t) =>
  t.field({
    type: PurgePayload,
    description: 'Permanently deletes every file in a dataset.',
    args: {
      input: t.arg({ type: PurgeDatasetInput, required: true, description: 'The dataset.' }),
    },
    async resolve(_, { input }, { useCases, call }) {
      const { datasetId } = input;
      return { deleted: await useCases.purgeDataset(call, { datasetId }), datasetId };
    },
  }),
);

const PurgeCustomerInput = builder.inputType('PurgeCustomerInput', {
  description: 'The customer to purge.',
  fields: (t) => ({
    customerId: t.id({
      description:
        'The id of the customer, as a safeguard: the request is refused if the API key belongs to another one.',
    }),
  }),
});

builder.mutationField('purgeCustomer', (t) =>
  t.field({
    type: PurgePayload,
    description:
      'Permanently deletes every file in every dataset of the customer. Requires an API key.',
    args: {
      input: t.arg({ type: PurgeCustomerInput, required: true, description: 'The customer.' }),
    },
    async resolve(_, { input }, { useCases, call }) {
      return { deleted: await useCases.purgeCustomer(call, input) };
    },
  }),
);
