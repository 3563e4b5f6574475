import { changeCursor } from '../../core/cursor.ts';
import { PERIODS } from '../../core/limits.ts';
import type { DatasetEvent } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { fileNodeId } from '../global-id.ts';
import { withCancel } from '../with-cancel.ts';
import { DatasetRef } from './dataset.ts';
import { FileRef } from './file.ts';

type EventOf<T extends DatasetEvent['type']> = Extract<DatasetEvent, { type: T }>;

const TYPE_NAMES = {
  watched: 'DatasetWatched',
  added: 'FileAdded',
  removed: 'FileRemoved',
  many: 'FilesChanged',
} as const satisfies Record<DatasetEvent['type'], string>;

const DatasetEventRef = builder.interfaceRef<DatasetEvent>('DatasetEvent').implement({
  description: 'An event of a dataset.',
  resolveType: ({ type }) => TYPE_NAMES[type],
  fields: (t) => ({
    cursor: t.string({
      description: 'The position of the event. With it as `after`, a new subscription continues.',
      resolve: ({ version }) => changeCursor(version),
    }),
    dataset: t.field({
      type: DatasetRef,
      nullable: true,
      description: 'The dataset as it is now; null when nothing was ever uploaded to it.',
      resolve: ({ datasetId }, _, { datasets }) => datasets.load(datasetId),
    }),
  }),
});

builder.objectRef<EventOf<'watched'>>('DatasetWatched').implement({
  description:
    'The subscription has begun. The first event: a list read after it contains every earlier change.',
  interfaces: [DatasetEventRef],
});

builder.objectRef<EventOf<'added'>>('FileAdded').implement({
  description: 'A file was uploaded and can be searched.',
  interfaces: [DatasetEventRef],
  fields: (t) => ({ file: t.expose('file', { type: FileRef, description: 'The file.' }) }),
});

builder.objectRef<EventOf<'removed'>>('FileRemoved').implement({
  description: 'A file was deleted: lists and searches no longer show it.',
  interfaces: [DatasetEventRef],
  fields: (t) => ({
    deletedFileId: t.globalID({
      description: 'The global id of the file, to remove it from a cache.',
      resolve: (event) => ({ type: FileRef, id: fileNodeId(event) }),
    }),
    fileId: t.exposeID('fileId', { description: 'The id of the file, a UUID, as used in REST.' }),
  }),
});

builder.objectRef<EventOf<'many'>>('FilesChanged').implement({
  // The function `log_dataset_changes` of the database counts to 100.
  description: `The list of files must be read again: more than 100 files were added or removed at once, or missed changes are older than ${PERIODS.datasetChangeHours} h.`,
  interfaces: [DatasetEventRef],
});

const DatasetChangedInput = builder.inputType('DatasetChangedInput', {
  description: 'The dataset to watch.',
  fields: (t) => ({
    datasetId: t.id({
      description:
        "The dataset, which need not exist yet; defaults to the frontend token's dataset.",
    }),
    after: t.string({
      description:
        'The cursor of an event: only later changes are reported. By default, changes from now on.',
    }),
  }),
});

builder.subscriptionField('datasetChanged', (t) =>
  t.field({
    type: DatasetEventRef,
    description:
      'Files added to and removed from a dataset, through any gateway. Free. Ends with an error when the credential expires or is revoked, and when the gateway stops (`UNAVAILABLE`): subscribe again, with `after`.',
    args: {
      input: t.arg({ type: DatasetChangedInput, required: true, description: 'The dataset.' }),
    },
    subscribe: (_, { input }, context) =>
      withCancel(context.useCases.datasetChanged(context.call, input), context),
    resolve(event, _, { datasets }) {
      // All events share one context: cached values of the previous event are stale.
      datasets.clearAll();
      return event;
    },
  }),
);
