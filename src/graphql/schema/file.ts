import { AppError } from '../../core/errors.ts';
import { URL_EXPIRY } from '../../core/limits.ts';
import type { SrtEntry, StoredFile } from '../../core/model.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { fileNodeId, orNull, readFileNodeId } from '../global-id.ts';

const SrtEntryRef = builder.objectRef<SrtEntry>('SrtEntry').implement({
  description: 'A subtitle. Times are `HH:MM:SS,mmm`.',
  fields: (t) => ({
    number: t.exposeString('id', { description: 'The number of the entry.' }),
    startTime: t.exposeString('startTime', { description: 'Start time.' }),
    endTime: t.exposeString('endTime', { description: 'End time.' }),
    text: t.exposeString('text', { description: 'The spoken text.' }),
  }),
});

/** The list size assumed when a query is measured: a recording of a few minutes. */
const SUBTITLES = 50;

export const FileRef = builder.objectRef<StoredFile>('File');

builder.node(FileRef, {
  description: 'A file in a dataset: its record, its stored copy and its searchable chunks.',
  id: { resolve: fileNodeId },
  loadOne(id, { useCases, call }) {
    return orNull(() => useCases.getFile(call, readFileNodeId(id)));
  },
  fields: (t) => ({
    customerId: t.exposeID('customerId', {
      description: 'The id of the customer that owns the file.',
    }),
    datasetId: t.exposeID('datasetId', {
      description: 'The id of the dataset that contains the file.',
    }),
    fileId: t.exposeID('fileId', { description: 'The id of the file, a UUID, as used in REST.' }),
    filePath: t.exposeString('filePath', {
      description: 'The path of the stored copy in object storage.',
    }),
    originalName: t.exposeString('originalName', { description: 'The file name at upload.' }),
    mimeType: t.exposeString('mimeType', { nullable: true, description: 'The MIME type.' }),
    size: t.exposeFloat('size', { nullable: true, description: 'The size in bytes.' }),
    loaderId: t.exposeID('loaderId', {
      description: 'The id of the loader run that created the embeddings.',
    }),
    createdAt: t.expose('created', {
      type: 'DateTime',
      description: 'When the file was uploaded.',
    }),
    extension: t.exposeString('extension', {
      description: 'The extension of the file name, with the dot; empty when there is none.',
    }),
    transcriptionText: t.exposeString('transcriptionText', {
      nullable: true,
      description: 'The transcript; for audio and video only.',
    }),
    transcriptionSrt: t.expose('transcriptionSrt', {
      type: [SrtEntryRef],
      nullable: true,
      description: 'The transcript as subtitles; for audio and video only.',
      extensions: { listSize: () => SUBTITLES },
    }),
    extraMeta: t.expose('extraMeta', {
      type: 'JSON',
      nullable: true,
      description: 'The custom metadata of the file. Searches can filter by it.',
    }),
    contentHash: t.exposeString('contentHash', {
      nullable: true,
      description:
        'The SHA-256 hash of the stored copy, in hexadecimal; null for files of earlier versions.',
    }),
    permanentUrl: t.string({
      nullable: true,
      description: `A signed download URL, valid until the year ${new Date(URL_EXPIRY).getUTCFullYear()}. Created when it is first read; null when the file is being deleted.`,
      resolve: (file, _, { permanentUrls }) => permanentUrls.load(file),
    }),
  }),
});

builder.queryField('file', (t) =>
  t.field({
    type: FileRef,
    nullable: true,
    description: 'A file by its id; null when it does not exist.',
    args: {
      datasetId: t.arg.id({
        description: "The dataset; defaults to the frontend token's dataset.",
      }),
      fileId: t.arg.id({ required: true, description: 'The id of the file.' }),
    },
    resolve: (_, { datasetId, fileId }, context) => findFile(context, { datasetId, fileId }),
  }),
);

async function findFile(
  { useCases, call }: GraphqlContext,
  input: { datasetId: unknown; fileId: string },
): Promise<StoredFile | null> {
  try {
    return await useCases.getFile(call, input);
  } catch (error) {
    if (error instanceof AppError && error.code === 'FILE_NOT_FOUND') return null;
    throw error;
  }
}
