import type { StoredFile } from '../../core/model.ts';
import type { Billing } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { FileRef } from './file.ts';

const UploadFilesInput = builder.inputType('UploadFilesInput', {
  description: 'Files to take in: all of them or none.',
  fields: (t) => ({
    datasetId: t.id({ description: "The dataset; a frontend token's own unless given." }),
    files: t.field({ type: ['Upload'], required: true, description: 'At most 20 files.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'Custom metadata: objects by original file name or by 0-based index.',
    }),
    chunkSize: t.int({ description: 'Tokens a chunk; 300 unless given.' }),
    chunkOverlap: t.int({
      description: 'Tokens that a chunk repeats of the one before; 20 unless given.',
    }),
  }),
});

const BilledRef = builder.objectRef<Billing>('Billed').implement({
  description: 'What an upload cost.',
  fields: (t) => ({
    fileCount: t.exposeInt('fileCount', { description: 'Files that were taken in.' }),
    uploadUnits: t.exposeFloat('uploadUnits', { description: 'Credits that were taken.' }),
  }),
});

const UploadFilesPayload = builder
  .objectRef<{ files: StoredFile[]; billed: Billing }>('UploadFilesPayload')
  .implement({
    description: 'What `uploadFiles` did.',
    fields: (t) => ({
      files: t.expose('files', {
        type: [FileRef],
        description: 'The files in the order they were sent. They can be searched now.',
      }),
      billed: t.expose('billed', { type: BilledRef, description: 'What it cost.' }),
    }),
  });

builder.mutationField('uploadFiles', (t) =>
  t.field({
    type: UploadFilesPayload,
    description:
      'Takes files in and makes them searchable. A multipart request; costs credits by the file.',
    args: { input: t.arg({ type: UploadFilesInput, required: true, description: 'The files.' }) },
    resolve: (_, { input }, { useCases, call }) => useCases.uploadFiles(call, input),
  }),
);

const DeleteFileInput = builder.inputType('DeleteFileInput', {
  description: 'Which file to delete.',
  fields: (t) => ({
    datasetId: t.id({ description: "The dataset; a frontend token's own unless given." }),
    fileId: t.id({ required: true, description: 'The id of the file.' }),
  }),
});

const DeleteFilePayload = builder.objectRef<{ fileId: string }>('DeleteFilePayload').implement({
  description: 'What `deleteFile` did.',
  fields: (t) => ({
    fileId: t.exposeID('fileId', { description: 'The id of the file that is gone.' }),
  }),
});

builder.mutationField('deleteFile', (t) =>
  t.field({
    type: DeleteFilePayload,
    description: 'Deletes a file: its embeddings, its stored copy and its record. For good.',
    args: { input: t.arg({ type: DeleteFileInput, required: true, description: 'The file.' }) },
    async resolve(_, { input }, { useCases, call }) {
      await useCases.deleteFile(call, input);
      return { fileId: input.fileId };
    },
  }),
);

const PurgePayload = builder.objectRef<{ deleted: number }>('PurgePayload').implement({
  description: 'What a purge did.',
  fields: (t) => ({
    deleted: t.exposeInt('deleted', { description: 'How many files are gone.' }),
  }),
});

const PurgeDatasetInput = builder.inputType('PurgeDatasetInput', {
  description: 'Which dataset to empty.',
  fields: (t) => ({ datasetId: t.id({ required: true, description: 'The dataset.' }) }),
});

builder.mutationField('purgeDataset', (t) =>
  t.field({
    type: PurgePayload,
    description: 'Deletes every file of a dataset. For good.',
    args: {
      input: t.arg({ type: PurgeDatasetInput, required: true, description: 'The dataset.' }),
    },
    async resolve(_, { input }, { useCases, call }) {
      return { deleted: await useCases.purgeDataset(call, input) };
    },
  }),
);

builder.mutationField('purgeCustomer', (t) =>
  t.field({
    type: PurgePayload,
    description: 'Deletes every file of every dataset of the customer. For good. API key only.',
    async resolve(_, __, { useCases, call }) {
      return { deleted: await useCases.purgeCustomer(call, {}) };
    },
  }),
);
