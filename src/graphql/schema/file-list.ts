import type { GraphQLResolveInfo } from 'graphql';
import { AppError } from '../../core/errors.ts';
import type { FileOrder, FileOrderField } from '../../core/file-order.ts';
import type { FilePageInput } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { selectsTranscripts } from '../selects-transcripts.ts';
import { DatasetRef } from './dataset.ts';
import { FileRef } from './file.ts';
import { FilterInput, type FilterShape, toFilters } from './filter.ts';
import { CONNECTION, type PageArguments, toConnection } from './paging.ts';

const FileNameInput = builder.inputType('FileNameInput', {
  description: 'Conditions on the name of a file, all of which must be met.',
  fields: (t) => ({
    contains: t.string({ description: 'The name contains this text, in upper or lower case.' }),
    startsWith: t.string({
      description: 'The name starts with this text, in upper or lower case.',
    }),
    eq: t.string({ description: 'The name is exactly this text.' }),
  }),
});

const DateTimeRangeInput = builder.inputType('DateTimeRangeInput', {
  description: 'A range of time.',
  fields: (t) => ({
    gte: t.field({ type: 'DateTime', description: 'At this point in time, or later.' }),
    lt: t.field({ type: 'DateTime', description: 'Before this point in time.' }),
  }),
});

const FileWhereInput = builder.inputType('FileWhereInput', {
  description: 'Conditions on files, all of which must be met.',
  fields: (t) => ({
    originalName: t.field({ type: FileNameInput, description: 'The file name at upload.' }),
    extension: t.string({
      description: 'The extension of the file name, ignoring case, with or without the dot.',
    }),
    mimeType: t.string({ description: 'The MIME type.' }),
    createdAt: t.field({ type: DateTimeRangeInput, description: 'When the file was uploaded.' }),
    metadata: t.field({
      type: [FilterInput],
      description: 'Filters on `fileId`, `originalName`, `mimeType` and custom metadata.',
    }),
  }),
});

const FileOrderFieldEnum = builder.enumType('FileOrderField', {
  description: 'What files are ordered by. Ties are ordered by id.',
  values: {
    CREATED: { value: 'created', description: 'When the file was uploaded.' },
    ORIGINAL_NAME: {
      value: 'originalName',
      description:
        'The file name: by code points, ignoring case first; names that differ only in case, by code points.',
    },
    SIZE: { value: 'size', description: 'The size; an unknown size is the smallest.' },
  } as const satisfies Record<string, { value: FileOrderField; description: string }>,
});

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order.',
  values: {
    ASC: { value: 'asc', description: 'The smallest first.' },
    DESC: { value: 'desc', description: 'The largest first.' },
  } as const satisfies Record<string, { value: FileOrder['direction']; description: string }>,
});

const FileOrderInput = builder.inputType('FileOrderInput', {
  description: 'The order of a list of files.',
  fields: (t) => ({
    field: t.field({ type: FileOrderFieldEnum, required: true, description: 'What to order by.' }),
    direction: t.field({ type: OrderDirection, required: true, description: 'The direction.' }),
  }),
});

const FileConnection = builder.connectionObject(
  { type: FileRef, name: 'FileConnection', description: 'A page of files.' },
  { name: 'FileEdge', description: 'A file and its position in the list.' },
);

type ArgumentBuilder = Parameters<
  Extract<Parameters<typeof builder.queryField>[1], (t: never) => unknown>
>[0]['arg'];

/** The arguments of every list of files. */
function listArguments(arg: ArgumentBuilder) {
  return {
    ...arg.connectionArgs(),
    where: arg({ type: FileWhereInput, description: 'Which files; default all.' }),
    orderBy: arg({
      type: FileOrderInput,
      description: 'The order; by default, newest first. A cursor is valid for one order.',
    }),
  };
}

builder.queryField('files', (t) =>
  t.field({
    type: FileConnection,
    nullable: true,
    description: 'The files in a dataset.',
    extensions: CONNECTION,
    args: {
      datasetId: t.arg.id({
        description: "The dataset; defaults to the frontend token's dataset.",
      }),
      ...listArguments(t.arg),
    },
    async resolve(_, { datasetId, ...list }, { useCases, call }, info) {
      const page = await useCases.pageFiles(call, { ...toInput(list, info), datasetId });
      return toConnection(page, list, page.cursorOf);
    },
  }),
);

builder.objectField(DatasetRef, 'files', (t) =>
  t.field({
    type: FileConnection,
    description: 'The files in the dataset.',
    extensions: CONNECTION,
    args: listArguments(t.arg),
    async resolve({ datasetId }, list, { filePages }, info) {
      const page = await filePages.load({ of: datasetId, args: toInput(list, info) });
      // The dataset itself was visible.
      if (!page) throw new AppError('INTERNAL');
      return toConnection(page, list, page.cursorOf);
    },
  }),
);

builder.objectField(FileRef, 'dataset', (t) =>
  t.field({
    type: DatasetRef,
    nullable: true,
    description: 'The dataset that contains the file.',
    resolve: ({ datasetId }, _, { datasets }) => datasets.load(datasetId),
  }),
);

interface ListArguments extends PageArguments {
  where?: { metadata?: FilterShape[] | null | undefined } | null | undefined;
  orderBy?: FileOrder | null | undefined;
}

function toInput(
  { where, orderBy, ...list }: ListArguments,
  info: GraphQLResolveInfo,
): FilePageInput {
  return {
    ...list,
    where: where && { ...where, metadata: toFilters(where.metadata) },
    order: orderBy ?? undefined,
    transcripts: selectsTranscripts(info),
  };
}
