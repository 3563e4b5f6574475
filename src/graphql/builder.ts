import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import { FormFile } from '../http/read-multipart.ts';
import type { GraphqlContext } from './context.ts';
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
    nodesOnConnection: { description: 'The objects of the page.' },
    nodesQueryOptions: false,
    nodeQueryOptions: {
      description: 'Any object by its global id; null when there is none that you may see.',
      args: { id: { description: 'A global id, as a field `id` gave it.' } },
    },
    nodeTypeOptions: { description: 'An object with a global id.' },
    idFieldOptions: { description: 'The global id: opaque, for `node` and for caches.' },
    pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more comes after the page.' },
    hasPreviousPageFieldOptions: { description: 'Whether more comes before the page.' },
    startCursorFieldOptions: { description: 'The cursor of the first object of the page.' },
    endCursorFieldOptions: { description: 'The cursor of the last object of the page.' },
    pageInfoFieldOptions: { description: 'Where the page stands in the list.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The objects of the page with their cursors.',
    },
    nodeFieldOptions: { nullable: false, description: 'The object.' },
    cursorFieldOptions: { description: 'The place of the object in the list.' },
    firstArgOptions: { description: 'The most objects to take from the start of the list.' },
    lastArgOptions: { description: 'The most objects to take from the end of the list.' },
    afterArgOptions: { description: 'Only what comes after this cursor.' },
    beforeArgOptions: { description: 'Only what comes before this cursor.' },
    defaultConnectionTypeOptions: { description: 'A page of a list.' },
    defaultEdgeTypeOptions: { description: 'An object and its place in a list.' },
  },
});

builder.queryType({ description: 'What can be read.' });
builder.mutationType({ description: 'What changes something or costs credits.' });
builder.subscriptionType({ description: 'What is answered piece by piece.' });

builder.scalarType('DateTime', {
  description: 'A moment as ISO 8601 text, in UTC.',
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
    'A file of a multipart request, see https://github.com/jaydenseric/graphql-multipart-request-spec.',
  serialize: () => {
    throw new GraphQLError('Upload is an input only');
  },
  parseValue: (value) => {
    if (value instanceof FormFile) return value;
    throw new GraphQLError('Upload must be a file of a multipart request');
  },
});
