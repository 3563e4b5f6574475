import { fileCursor } from '../../core/cursor.ts';
import { AppError } from '../../core/errors.ts';
import type { SrtEntry, StoredFile } from '../../core/model.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { orNull } from '../global-id.ts';
import { readDirection, sizeOfPage, toConnection } from './paging.ts';

const SrtEntryRef = builder.objectRef<SrtEntry>('SrtEntry').implement({
  description: 'A subtitle. Times are `HH:MM:SS,mmm`.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'The number of the entry.' }),
    startTime: t.exposeString('startTime', { description: 'When it appears.' }),
    endTime: t.exposeString('endTime', { description: 'When it goes.' }),
    text: t.exposeString('text', { description: 'What is said.' }),
  }),
});

/** Of a recording of a few minutes. */
const SUBTITLES = 50;

export const FileRef = builder.objectRef<StoredFile>('File');

builder.node(FileRef, {
  description: 'A file of a dataset: its record, its stored copy and its searchable chunks.',
  id: { resolve: ({ datasetId, fileId }) => `${fileId}:${datasetId}` },
  loadOne(id, { useCases, call }) {
    const [, fileId = '', datasetId] = /^([^:]*):(.*)$/s.exec(id) ?? [];
    return orNull(() => useCases.getFile(call, { datasetId, fileId }));
  },
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer who owns it.' }),
    datasetId: t.exposeID('datasetId', { description: 'The dataset that holds it.' }),
    fileId: t.exposeID('fileId', { description: 'Its id, a UUID, as REST knows it.' }),
    filePath: t.exposeString('filePath', { description: 'Where its copy is in object storage.' }),
    originalName: t.exposeString('originalName', { description: 'Its name when it was uploaded.' }),
    mimeType: t.exposeString('mimeType', { nullable: true, description: 'Its MIME type.' }),
    size: t.exposeFloat('size', { nullable: true, description: 'Its size in bytes.' }),
    loaderId: t.exposeID('loaderId', {
      description: 'Names the loader run that made its embeddings.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was uploaded.' }),
    extension: t.exposeString('extension', {
      description: 'The extension of its name, with the dot; empty when there is none.',
    }),
    transcriptionText: t.exposeString('transcriptionText', {
      nullable: true,
      description: 'What is said in it; for audio and video only.',
    }),
    transcriptionSrt: t.expose('transcriptionSrt', {
      type: [SrtEntryRef],
      nullable: true,
      description: 'What is said in it, as subtitles; for audio and video only.',
      extensions: { listSize: () => SUBTITLES },
    }),
    extraMeta: t.expose('extraMeta', {
      type: 'JSON',
      nullable: true,
      description: 'Its custom metadata. Searches can filter by it.',
    }),
    permanentUrl: t.string({
      nullable: true,
      description:
        'A signed download URL, valid until the year 2491. Made at the first reading; null when the file is being deleted.',
      resolve: (file, _, { permanentUrls }) => permanentUrls.load(file),
    }),
  }),
});

builder.queryField('file', (t) =>
  t.field({
    type: FileRef,
    nullable: true,
    description: 'One file; null when there is none.',
    args: {
      datasetId: t.arg.id({ description: "The dataset; a frontend token's own unless given." }),
      fileId: t.arg.id({ required: true, description: 'The id of the file.' }),
    },
    resolve: (_, { datasetId, fileId }, context) => findFile(context, { datasetId, fileId }),
  }),
);

builder.queryField('files', (t) =>
  t.connection(
    {
      type: FileRef,
      description: 'The files of a dataset, newest first.',
      extensions: { listSize: sizeOfPage },
      args: {
        datasetId: t.arg.id({ description: "The dataset; a frontend token's own unless given." }),
      },
      async resolve(_, { datasetId, ...page }, { useCases, call }) {
        const { backwards, limit } = readDirection(page);
        const { after, before } = page;
        const input = { datasetId, limit, after, before, backwards };
        const { files, nextCursor, total } = await useCases.pageFiles(call, input);
        const found = { items: files, more: nextCursor !== null };
        return { ...toConnection(found, page, backwards, fileCursor), total };
      },
    },
    {
      description: "A page of a dataset's files.",
      fields: (fields) => ({
        totalCount: fields.int({
          description: 'How many files the dataset has.',
          resolve: ({ total }) => total(),
        }),
      }),
    },
    { description: 'A file and its place in the list.' },
  ),
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
