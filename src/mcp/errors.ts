import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { toPublicError } from '../core/errors.ts';
import { describeError, errorHeaders } from '../http/error-response.ts';

/** The key of code and details in the `_meta` of a failed tool call. */
export const ERROR_META = 'filequery/error';

/** The response to a request that is refused as a whole: a JSON-RPC error with the HTTP status of its code. */
export function errorMessage(error: unknown): Response {
  const { code, status, details } = toPublicError(error);
  const headers = new Headers(errorHeaders({ code, details }));
  if (status === 401) {
    const invalid = code === 'INVALID_CREDENTIAL' ? ', error="invalid_token"' : '';
    headers.set('www-authenticate', `Bearer realm="filequery"${invalid}`);
  }
  if (status === 405) headers.set('allow', 'POST');
  const message = { code: rpcCode(error), message: describeError(error), data: { code, details } };
  return Response.json({ jsonrpc: '2.0', id: null, error: message }, { status, headers });
}

/** The result of a tool call that failed, for the model to read. */
export function errorResult(error: unknown, requestId: string): CallToolResult {
  const { code, details } = toPublicError(error);
  return {
    isError: true,
    content: [{ type: 'text', text: describeError(error) }],
    _meta: { [ERROR_META]: { code, details, requestId } },
  };
}

/** The error of a request for a resource. */
export function resourceError(error: unknown, uri: string, requestId: string): ProtocolError {
  const { code, details } = toPublicError(error);
  if (code === 'FILE_NOT_FOUND') return new ResourceNotFoundError(uri, describeError(error));
  return new ProtocolError(rpcCode(error), describeError(error), { code, details, requestId });
}

function rpcCode(error: unknown): ProtocolErrorCode {
  const { code, status } = toPublicError(error);
  if (code === 'INVALID_JSON') return ProtocolErrorCode.ParseError;
  if (code === 'INVALID_INPUT') return ProtocolErrorCode.InvalidParams;
  return status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
}
