import { type ErrorCode, toPublicError } from '../core/errors.ts';
import { bodyOf, describeError, errorHeaders } from '../http/error-response.ts';

/** The response to a request that fails, in OpenAI's form. */
export function openaiError(error: unknown): Response {
  const known = toPublicError(error);
  return Response.json(errorObject(error), { status: known.status, headers: errorHeaders(known) });
}

/** `{ error: { message, type, param, code } }`; the code is ours. */
export function errorObject(error: unknown) {
  const known = toPublicError(error);
  const { details } = bodyOf(known);
  return {
    error: {
      message: describeError(error),
      type: typeOf(known.status),
      param: known.details['param'] ?? PARAMS[known.code] ?? null,
      code: known.code,
      ...(details && { details }),
    },
  };
}

/** The parameter that some codes are about. */
const PARAMS: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'model',
  DATASET_MISMATCH_IN_REQUEST: 'model',
  EMBEDDING_MODEL_MISMATCH: 'model',
};

function typeOf(status: number): string {
  if (status >= 500) return 'server_error';
  return TYPES[status] ?? 'invalid_request_error';
}

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};
