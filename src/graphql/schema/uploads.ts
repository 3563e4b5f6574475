import { LIMITS, overlapRange, RANGES } from '../../core/limits.ts';
import type { Billing, OnDuplicate, Uploaded } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { describeRange } from '../describe-range.ts';
import { fileNodeId } from '../global-id.ts';
import { idempotencyKeyField } from '../idempotency-key-field.ts';
import { DatasetRef } from './dataset.ts';
import { FileRef } from './file.ts';

/** The maximum number of replaced files in a response: there may be any number of files with one name. */
const REPLACED = 100;

const OnDuplicateEnum = builder.enumType('OnDuplicate', {
  description: 'What happens to files that the dataset already has.',
  values: {
    KEEP_BOTH: { description: 'Every file is stored.' },
    SKIP: {
      description:
        'A file with the same content as a file in the dataset is not stored, whatever its name, and costs nothing. The file in the dataset is not changed and keeps its metadata.',
    },
    REPLACE: {
      description:
        'A file atomically replaces all files in the dataset that have its name. It costs as much as any other file.',
    },
  } satisfies Record<OnDuplicate, { description: string }>,
});

export const UploadFilesInput = builder.inputType('UploadFilesInput', {
  description: 'Files to upload. Either all of them are stored or none.',
  fields: (t) => ({
    datasetId: t.id({ description: "The dataset; defaults to the frontend token's dataset." }),
    files: t.field({
      type: ['Upload'],
      description: `The files; together with \`urls\`, at most ${LIMITS.filesPerUpload}.`,
    }),
    urls: t.stringList({
      description:
        'URLs of files, which the gateway fetches from public addresses. They come after `files`, and do not require a multipart request.',
    }),
    metadata: t.field({
      type: 'JSON',
      description: `Custom metadata: one object per file, keyed by original file name, by URL or by 0-based index; at most ${LIMITS.metadataBytes / 1024} kB each.`,
    }),
    chunkSize: t.int({
      description: `The size of a chunk in tokens: ${describeRange(RANGES.chunkSize)}.`,
    }),
    chunkOverlap: t.int({
      description: `Tokens that a chunk repeats from the previous one: at most half of \`chunkSize\`; default ${overlapRange(RANGES.chunkSize.preset).preset}.`,
    }),
    onDuplicate: t.field({
      type: OnDuplicateEnum,
      description: 'What happens to files that the dataset already has; default KEEP_BOTH.',
    }),
    idempotencyKey: idempotencyKeyField(t),
  }),
});

const BilledRef = builder.objectRef<Billing>('Billed').implement({
  description: 'The cost of an upload.',
  fields: (t) => ({
    fileCount: t.exposeInt('fileCount', { description: 'The number of files.' }),
    uploadUnits: t.expose('uploadUnits', {
      type: 'Decimal',
      description: 'The price in credits.',
    }),
  }),
});

const UploadFilesPayload = builder.objectRef<Uploaded>('UploadFilesPayload').implement({
  description: 'The result of `uploadFiles`.',
  fields: (t) => ({
    files: t.expose('files', {
      type: [FileRef],
      description:
        'The files that were stored, in the order they were sent. They can be searched immediately.',
      extensions: { listSize: () => LIMITS.filesPerUpload },
    }),
    skipped: t.expose('skipped', {
      type: [FileRef],
      description:
        'For each file that was skipped, the file that has its content, with `onDuplicate: SKIP`.',
      extensions: { listSize: () => LIMITS.filesPerUpload },
    }),
    replaced: t.field({
      type: [FileRef],
      description: `The files that were replaced and are gone, with \`onDuplicate: REPLACE\`: the ${REPLACED} newest; \`replacedFileIds\` has all. Empty for a token that may not read files.`,
      extensions: { listSize: () => REPLACED },
      resolve: ({ replaced }) => replaced.slice(0, REPLACED),
    }),
    replacedFileIds: t.globalIDList({
      description:
        'The global ids of all files that were replaced and are gone, to remove them from a cache.',
      resolve: ({ replacedIds }) =>
        replacedIds.map((file) => ({ type: FileRef, id: fileNodeId(file) })),
    }),
    dataset: t.field({
      type: DatasetRef,
      nullable: true,
      description: 'The dataset as it is afterwards.',
      resolve({ files, skipped }, _, { datasets }) {
        const [file] = [...files, ...skipped];
        return file && datasets.load(file.datasetId);
      },
    }),
    billed: t.expose('billed', { type: BilledRef, description: 'The cost of the upload.' }),
  }),
});

builder.mutationField('uploadFiles', (t) =>
  t.field({
    type: UploadFilesPayload,
    description:
      'Uploads files and makes them searchable. `files` are sent in a multipart request. Costs credits for each file.',
    args: { input: t.arg({ type: UploadFilesInput, required: true, description: 'The files.' }) },
    resolve: (_, { input }, { useCases, call }) => useCases.uploadFiles(call, input),
  }),
);
