import { RANGES } from '../../core/limits.ts';
import type { Chunk } from '../../core/model.ts';
import { builder } from '../builder.ts';
import { describeRange } from '../describe-range.ts';
import { FileRef } from './file.ts';
import { ChunkLocationRef } from './location.ts';
import { sizeOfPage, toConnection } from './paging.ts';

/** The values that a chunk counts as when an operation is measured: its text may be 10 kB long. */
const CHUNK_COST = 10;

const ChunkRef = builder.objectRef<Chunk>('Chunk').implement({
  description: 'A piece of the text of a file, as it is searched.',
  fields: (t) => ({
    content: t.exposeString('content', { description: 'The text.' }),
    position: t.exposeInt('position', {
      description: 'The index of the chunk in the file, from 0.',
    }),
    location: t.field({
      type: ChunkLocationRef,
      description: 'Where the chunk is in the file.',
      resolve: ({ metadata }) => metadata,
    }),
  }),
});

const ChunkConnection = builder.connectionObject(
  { type: ChunkRef, name: 'ChunkConnection', description: 'A page of chunks.' },
  { name: 'ChunkEdge', description: 'A chunk and its position in the list.' },
);

builder.objectField(FileRef, 'chunks', (t) =>
  t.field({
    type: ChunkConnection,
    nullable: true,
    description:
      'The chunks of the file, in the order of its text; null when the file is being deleted.',
    extensions: {
      listSize: sizeOfPage(RANGES.chunkPageSize),
      itemCost: CHUNK_COST,
      isCall: true,
    },
    args: {
      ...t.arg.connectionArgs(),
      first: t.arg.int({
        description: `The maximum number of chunks to return from the start of the file: ${describeRange(RANGES.chunkPageSize)}.`,
      }),
      last: t.arg.int({
        description: `The maximum number of chunks to return from the end of the file: ${RANGES.chunkPageSize.min} to ${RANGES.chunkPageSize.max}.`,
      }),
    },
    async resolve({ fileId }, page, { chunkPages }) {
      const found = await chunkPages.load({ of: fileId, args: page });
      return found && toConnection(found, page, found.cursorOf);
    },
  }),
);
