import { GraphQLError } from 'graphql';
import { FormFile } from '../http/form-file.ts';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description:
    'A point in time as in RFC 3339, such as `2026-01-31T12:00:00.000Z`. Output is in UTC, with milliseconds.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  // Text from the database already has this format.
  serialize: (value) => (typeof value === 'string' ? value : value.toISOString()),
  parseValue: (value) => {
    if (typeof value === 'string') return value;
    throw new GraphQLError('DateTime must be a string');
  },
});

builder.scalarType('Decimal', {
  description: 'An exact decimal number as a string, without an exponent, such as `"12.5"`.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new GraphQLError('Decimal must be a string or a number');
  },
});

builder.scalarType('FilterValue', {
  description: 'A string, a number or a boolean. `1`, `"1"` and `true` are different values.',
  serialize: () => {
    throw new GraphQLError('FilterValue is an input only');
  },
  parseValue: (value) => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    throw new GraphQLError('FilterValue must be a string, a number or a boolean');
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType('Upload', {
  description: 'A file in a multipart request.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  serialize: () => {
    throw new GraphQLError('Upload is an input only');
  },
  parseValue: (value) => {
    if (value instanceof FormFile) return value;
    throw new GraphQLError('Upload must be a file of a multipart request');
  },
});
