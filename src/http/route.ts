import type { Call } from '../core/call.ts';
import type { Operation } from '../core/policy.ts';
import type { UseCases } from '../use-cases/index.ts';
import type { ReceiveUpload } from './receive-upload.ts';

/** The context of a handler. */
export interface RouteContext {
  request: Request;
  call: Call;
  params: Record<string, string>;
  searchParams: URLSearchParams;
  /** The header `Idempotency-Key`; null when there is none. */
  idempotencyKey: string | null;
  useCases: UseCases;
  receiveUpload: ReceiveUpload;
  /** Reports a failure that happens after the status was sent. */
  report: (error: unknown) => void;
  /** Cancels the call when the client closes a streamed response. */
  cancel: () => void;
}

export type Handler = (context: RouteContext) => Promise<Response>;

/** A route: method, path below that of the door, the operation whose credential it requires, and the handler. */
export type Route = readonly [
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  operation: Operation,
  handler: Handler,
];
