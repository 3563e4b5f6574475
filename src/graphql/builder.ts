import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import { RANGES } from '../core/limits.ts';
import { FormFile } from '../http/read-multipart.ts';
import type { GraphqlContext } from './context.ts';
import { describeRange } from './describe-range.ts';
import { decodeGlobalId } from './global-id.ts';

/** The schema builder: the scalars and conventions that every part of the schema shares. */
export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: never; Output: Date | string };
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
      description: `The maximum number of objects to return from the start of the list: ${describeRange(RANGES.pageSize)}.`,
    },
    lastArgOptions: {
      description: `The maximum number of objects to return from the end of the list: ${RANGES.pageSize.min} to ${RANGES.pageSize.max}.`,
    },
    afterArgOptions: { description: 'Return only objects after this cursor.' },
    beforeArgOptions: { description: 'Return only objects before this cursor.' },
    defaultConnectionTypeOptions: { description: 'A page of a list.' },
    defaultEdgeTypeOptions: { description: 'An object and its position in a list.' },
  },
});

builder.queryType({ description: 'Read operations.' });
builder.mutationType({ description: 'Operations that change data or cost credits.' });
builder.subscriptionType({ description: 'Operations with streamed results.' });

builder.scalarType('DateTime', {
  description: 'A point in time in ISO 8601 format, in UTC.',
  // What the database writes as text is ISO 8601 already.
  serialize: (value) => (typeof value === 'string' ? value : value.toISOString()),
  parseValue: () => {
    throw new GraphQLError('DateTime is an output only');
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType('Upload', {
  description:
    'A file in a multipart request; see https://github.com/jaydenseric/graphql-multipart-request-spec.',
  serialize: () => {
    throw new GraphQLError('Upload is an input only');
  },
  parseValue: (value) => {
    if (value instanceof FormFile) return value;
    throw new GraphQLError('Upload must be a file of a multipart request');
  },
});
