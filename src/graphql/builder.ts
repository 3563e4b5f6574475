import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { RANGES } from '../core/limits.ts';
import type { FormFile } from '../http/form-file.ts';
import type { GraphqlContext } from './context.ts';
import { describeRange } from './describe-range.ts';
import { decodeGlobalId } from './global-id.ts';

/** The schema builder: the scalars and conventions that every part of the schema shares. */
export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  /** What every connection has besides a page. */
  Connection: { total: () => Promise<number> };
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: Date | string };
    Decimal: { Input: string | number; Output: string };
    FilterValue: { Input: string | number | boolean; Output: never };
    JSON: { Input: unknown; Output: unknown };
    Upload: { Input: FormFile; Output: never };
  };
}>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    decodeGlobalID: decodeGlobalId,
    nodesOnConnection: { description: 'The objects in the page.' },
    nodesQueryOptions: false,
    nodeQueryOptions: {
      description:
        'Looks up an object by its global id. Null when it does not exist or you have no access to it.',
      args: { id: { description: 'A global id, as returned in a field `id`.' } },
    },
    nodeTypeOptions: { description: 'An object with a global id.' },
    idFieldOptions: {
      description: 'The global id. Opaque; use it with `node` and as a cache key.',
    },
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'Whether the list continues after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list continues before this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first object in the page.' },
    endCursorFieldOptions: { description: 'The cursor of the last object in the page.' },
    pageInfoFieldOptions: { description: 'The position of the page in the list.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The objects in the page, with their cursors.',
    },
    nodeFieldOptions: { nullable: false, description: 'The object.' },
    cursorFieldOptions: { description: 'The position of the object in the list.' },
    firstArgOptions: {
      description: `The maximum number of objects to return from the start of the list: ${describeRange(RANGES.connectionSize)}.`,
    },
    lastArgOptions: {
      description: `The maximum number of objects to return from the end of the list: ${RANGES.connectionSize.min} to ${RANGES.connectionSize.max}.`,
    },
    afterArgOptions: { description: 'Return only objects after this cursor.' },
    beforeArgOptions: { description: 'Return only objects before this cursor.' },
    defaultConnectionTypeOptions: { description: 'A page of a list.' },
    defaultEdgeTypeOptions: { description: 'An object and its position in a list.' },
  },
});

/** Makes the fields of an input type. */
export type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

builder.queryType({
  description:
    'Read operations. A field that fails is null, with an error; the other fields are answered.',
});
builder.mutationType({ description: 'Operations that change data or cost credits.' });
builder.subscriptionType({ description: 'Operations with streamed results.' });

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'The number of objects in the whole list.',
    resolve: ({ total }) => total(),
  }),
);
