import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { builder } from '../builder.ts';

/** The codes of GraphQL's own errors, which concern the request, not an operation of the gateway. */
const REQUEST_ERRORS = {
  BAD_REQUEST: 'GraphQL only: the request is not one of GraphQL over HTTP.',
  GRAPHQL_PARSE_FAILED: 'GraphQL only: the document has a syntax error.',
  GRAPHQL_VALIDATION_FAILED: 'GraphQL only: the document is not valid for the schema.',
  OPERATION_RESOLUTION_FAILURE: 'GraphQL only: the document does not have the named operation.',
};

builder.enumType('ErrorCode', {
  description:
    'The codes of errors: `extensions.code` of an error in GraphQL, the header `X-Error-Code` in REST. ' +
    'New codes may be added.',
  values: {
    ...valuesOf(
      Object.entries(ERRORS).map(([code, { description }]) => [code as ErrorCode, description]),
    ),
    ...valuesOf(Object.entries(REQUEST_ERRORS)),
  },
});

function valuesOf<Code extends string>(codes: [Code, string][]) {
  return Object.fromEntries(codes.map(([code, description]) => [code, { description }]));
}
