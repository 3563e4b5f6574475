import type { Call } from '../core/call.ts';
import type { Operation } from '../core/policy.ts';
import type { ReceiveUpload } from '../http/receive-upload.ts';
import type { UseCases } from '../use-cases/index.ts';

/** What a handler has of one request. */
export interface RouteContext {
  request: Request;
  call: Call;
  params: Record<string, string>;
  query: URLSearchParams;
  useCases: UseCases;
  receiveUpload: ReceiveUpload;
  /** Reports a failure that can no longer become the answer. */
  report: (error: unknown) => void;
  /** Ends the call's work when the reader of a streamed answer goes away. */
  cancel: () => void;
}

export type Handler = (context: RouteContext) => Promise<Response>;

/** A row of the contract: method, path below /v1, the operation whose credential it needs, and the handler. */
export type Route = readonly [
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  operation: Operation,
  handler: Handler,
];
