import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types the operations of schema/operations for the tests and the command line. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: 'schema/operations/*.graphql',
  generates: {
    'src/generated/graphql.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
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
      },
    },
  },
  silent: true,
};

export default config;
