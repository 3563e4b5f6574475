import { LIMITS, PERIODS } from '../../core/limits.ts';
import type { Ingestion, StartedUpload } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { fileNodeId, orNull } from '../global-id.ts';
import { withCancel } from '../with-cancel.ts';
import { DatasetRef } from './dataset.ts';
import { FileRef } from './file.ts';
import { UploadFilesInput } from './uploads.ts';

const IngestionStatus = builder.enumType('IngestionStatus', {
  description: 'The status of an asynchronous upload.',
  values: {
    PENDING: { description: 'Received; waiting for a gateway to process it.' },
    RUNNING: { description: 'A gateway is reading and indexing the files.' },
    COMPLETED: { description: 'All files can be searched.' },
    FAILED: { description: 'No file was stored, and the credits were refunded.' },
  } as const,
});

const IngestionError = builder
  .objectRef<{ code: string; message: string }>('IngestionError')
  .implement({
    description: 'Why an asynchronous upload failed.',
    fields: (t) => ({
      code: t.exposeString('code', { description: 'The code, as in `extensions.code` of errors.' }),
      message: t.exposeString('message', { description: 'The text of the error.' }),
    }),
  });

const IngestionRef = builder.objectRef<Ingestion>('Ingestion');

builder.node(IngestionRef, {
  description: `An asynchronous upload. It is kept for ${PERIODS.ingestionDays} days after its end.`,
  id: { resolve: ({ ingestionId }) => ingestionId },
  loadOne: (ingestionId, { useCases, call }) =>
    orNull(() => useCases.getIngestion(call, { ingestionId })),
  fields: (t) => ({
    ingestionId: t.exposeID('ingestionId', {
      description: 'The id of the ingestion, a UUID, as in webhooks.',
    }),
    status: t.expose('status', { type: IngestionStatus, description: 'The status.' }),
    progress: t.float({
      description: 'The fraction of the files that is ingested, from 0 to 1.',
      resolve: ({ doneCount, fileCount, finished }) =>
        fileCount > 0 ? doneCount / fileCount : Number(finished !== null),
    }),
    fileCount: t.exposeInt('fileCount', {
      description: 'The number of files sent, without those that are skipped.',
    }),
    files: t.field({
      type: [FileRef],
      description:
        'The files, in the order they were sent, without those deleted since; empty until the status is `COMPLETED`.',
      extensions: { listSize: () => LIMITS.filesPerUpload },
      resolve: ({ files }) => files(),
    }),
    skipped: t.field({
      type: [FileRef],
      description:
        'For each file that was skipped, the file that has its content, with `onDuplicate: SKIP`; empty until the status is `COMPLETED`.',
      extensions: { listSize: () => LIMITS.filesPerUpload },
      resolve: ({ skipped }) => skipped(),
    }),
    replacedFileIds: t.globalIDList({
      description:
        'The global ids of the files that were replaced and are gone, to remove them from a cache, with `onDuplicate: REPLACE`.',
      resolve: ({ datasetId, replacedFileIds }) =>
        replacedFileIds.map((fileId) => ({ type: FileRef, id: fileNodeId({ datasetId, fileId }) })),
    }),
    dataset: t.field({
      type: DatasetRef,
      nullable: true,
      description: 'The dataset.',
      resolve: ({ datasetId }, _, { datasets }) => datasets.load(datasetId),
    }),
    error: t.expose('error', {
      type: IngestionError,
      nullable: true,
      description: 'Why it failed; null unless the status is `FAILED`.',
    }),
    createdAt: t.expose('created', { type: 'DateTime', description: 'When it was received.' }),
    finishedAt: t.expose('finished', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was completed or failed; null before that.',
    }),
  }),
});

const StartUploadPayload = builder.objectRef<StartedUpload>('StartUploadPayload').implement({
  description: 'The result of `startUpload`.',
  fields: (t) => ({
    ingestion: t.field({
      type: IngestionRef,
      description: 'The ingestion that has begun.',
      resolve: (started, _, { useCases, call }) => useCases.getIngestion(call, started),
    }),
  }),
});

builder.mutationField('startUpload', (t) =>
  t.field({
    type: StartUploadPayload,
    description: `Uploads files as \`uploadFiles\` does, but responds when they are received, before they are read. A duplicate is skipped when it is received, or at the end if the content was added meanwhile; files are replaced at the end. Costs credits for each file that is stored, which are refunded if the upload fails. At most ${LIMITS.openIngestions} may be open at once.`,
    args: { input: t.arg({ type: UploadFilesInput, required: true, description: 'The files.' }) },
    resolve: (_, { input }, { useCases, call }) => useCases.startUpload(call, input),
  }),
);

builder.queryField('ingestion', (t) =>
  t.field({
    type: IngestionRef,
    nullable: true,
    description: 'An asynchronous upload by its id; null when it does not exist.',
    args: {
      ingestionId: t.arg.id({ required: true, description: 'The id of the ingestion.' }),
    },
    resolve: (_, input, { useCases, call }) => orNull(() => useCases.getIngestion(call, input)),
  }),
);

const IngestionChangedInput = builder.inputType('IngestionChangedInput', {
  description: 'The ingestion to watch.',
  fields: (t) => ({
    ingestionId: t.id({ required: true, description: 'The id of the ingestion.' }),
  }),
});

builder.subscriptionField('ingestionChanged', (t) =>
  t.field({
    type: IngestionRef,
    description:
      'The current state of an asynchronous upload, and each new state; completes when the upload has ended. Free. Ends with an error as `datasetChanged` does.',
    args: {
      input: t.arg({
        type: IngestionChangedInput,
        required: true,
        description: 'The ingestion.',
      }),
    },
    subscribe: (_, { input }, context) =>
      withCancel(context.useCases.ingestionChanged(context.call, input), context),
    resolve(ingestion, _, { datasets }) {
      // All events share one context: cached values of the previous event are stale.
      datasets.clearAll();
      return ingestion;
    },
  }),
);
