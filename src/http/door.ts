import type { Hono } from 'hono';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import type { UseCases } from '../use-cases/index.ts';
import { readCredential } from './credential.ts';
import type { GatewayVariables } from './observe-requests.ts';
import type { ReceiveUpload } from './receive-upload.ts';

/** One protocol of the service: routes that translate between HTTP and the use-cases. */
export interface Door {
  /** Where its routes are, such as `/v1`. */
  path: string;
  routes: DoorRoutes;
}

export type DoorRoutes = Hono<{ Variables: GatewayVariables }>;

/** What every door works with. */
export interface Service {
  useCases: UseCases;
  /** Reads the multipart body of an upload, for callers who may upload. */
  receiveUpload: ReceiveUpload;
  /** Called with every failure that has no row in the table of errors. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** The call of one request, and what a door does with it. */
export interface OpenCall {
  call: Call;
  /** Finds the caller of a request that shows a credential. @throws AppError INVALID_CREDENTIAL */
  identify(): Promise<void>;
  /** Ends the work of the call, because the reader of a streamed answer went away. */
  cancel(): void;
  /** Reports a failure that has no row in the table of errors, unless the client went away. */
  report(error: unknown): void;
}

/** Begins the call of a request; every door takes it from here. */
export function openCall(
  request: Request,
  { requestId, record }: GatewayVariables,
  { useCases, onUnexpected }: Pick<Service, 'useCases' | 'onUnexpected'>,
): OpenCall {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([request.signal, cancelled.signal]);
  const call: Call = { principal: undefined, requestId, signal, record };
  return {
    call,
    async identify() {
      const credential = readCredential(request);
      if (credential === undefined || call.principal) return;
      await useCases.authenticate(call, credential);
    },
    cancel: () => cancelled.abort(),
    report(error) {
      if (!(error instanceof AppError) && !signal.aborted) onUnexpected(error, requestId);
    },
  };
}
