import {
  type CallToolResult,
  ProtocolError,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { toPublicError } from '../core/errors.ts';
import { describeError } from '../http/error-response.ts';
import { rpcCode } from './rpc-error-response.ts';

/** The key of code and details in the `_meta` of a failed tool call. */
const ERROR_META = 'filequery/error';

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
