import { toPublicError } from '../core/errors.ts';
import { describeError, errorHeaders } from '../http/error-response.ts';

/** The codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** The response to a request that fails as a whole: a JSON-RPC error with the HTTP status of its code. */
export function rpcErrorResponse(error: unknown): Response {
  const { code, status, details } = toPublicError(error);
  const headers = new Headers(errorHeaders({ code, details }));
  if (status === 401) {
    const invalid = code === 'MISSING_CREDENTIAL' ? '' : ', error="invalid_token"';
    headers.set('www-authenticate', `Bearer realm="filequery"${invalid}`);
  }
  if (status === 405) headers.set('allow', 'POST');
  const message = { code: rpcCode(error), message: describeError(error), data: { code, details } };
  return Response.json({ jsonrpc: '2.0', id: null, error: message }, { status, headers });
}

/** The JSON-RPC code for a failure. */
export function rpcCode(error: unknown): number {
  const { code, status } = toPublicError(error);
  if (code === 'INVALID_JSON') return PARSE_ERROR;
  if (code === 'INVALID_INPUT') return INVALID_PARAMS;
  return status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST;
}
