import { existsSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

const typing = {
  useTypeImports: true,
  enumsAsTypes: true,
  strictScalars: true,
  scalars: {
    DateTime: 'string',
    Decimal: 'string',
    FilterValue: 'string | number | boolean',
    JSON: 'unknown',
    Upload: 'Blob',
  },
};

/** What frontends generate from the schema, for the tests of their clients. */
const clients: CodegenConfig['generates'] = {
  'test/generated/client-preset/': {
    preset: 'client',
    documents: 'test/graphql/clients/client-preset.test.ts',
    config: { ...typing, importExtension: '.ts' },
  },
  'test/generated/frontend.ts': {
    documents: 'test/browser/app/*.graphql',
    plugins: ['typescript-operations', 'typed-document-node'],
    config: typing,
  },
  'test/generated/introspection.ts': { plugins: ['./test/support/gql-tada-introspection.ts'] },
};

/** Types the operations of schema/operations for the tests and the demo, and those of the playground. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  generates: {
    'src/generated/graphql.ts': {
      documents: 'schema/operations/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: typing,
    },
    // As texts: a page needs no parser and no printer of GraphQL.
    'src/generated/playground.ts': {
      documents: 'src/playground/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { ...typing, documentMode: 'string' },
    },
    // The image is built without the tests.
    ...(existsSync('test') && clients),
  },
  silent: true,
};

export default config;
