import type { Hono } from 'hono';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import type { UseCases } from '../use-cases/index.ts';
import { readCredential } from './credential.ts';
import type { GatewayEnv, GatewayVariables } from './gateway-env.ts';
import type { ReceiveUpload } from './receive-upload.ts';

/** One protocol of the service, such as REST: routes that translate between HTTP and the use-cases. */
export interface Door {
  /** The path of its routes, such as `/v1`. */
  path: string;
  routes: DoorRoutes;
}

export type DoorRoutes = Hono<GatewayEnv>;

/** What every door is built from. */
export interface Service {
  useCases: UseCases;
  /** Reads the multipart body of an upload, if the caller may upload. */
  receiveUpload: ReceiveUpload;
  /** Called with every failure that is not an `AppError`. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** The call of one request, and what a door can do with it. */
export interface OpenCall {
  call: Call;
  /** Authenticates the request if it has a credential. @throws AppError INVALID_CREDENTIAL */
  identify(): Promise<void>;
  /** Cancels the call when the client closes a streamed response. */
  cancel(): void;
  /** Reports a failure that is not an `AppError`, unless the client disconnected. */
  report(error: unknown): void;
}

/** Creates the call of a request, for every door. */
export function openCall(
  request: Request,
  { requestId, record }: GatewayVariables,
  { useCases, onUnexpected }: Pick<Service, 'useCases' | 'onUnexpected'>,
): OpenCall {
  const cancelled = new AbortController();
  const { signal } = cancelled;
  // `AbortSignal.any` is slow to make and to query.
  const { signal: gone } = request;
  const cancel = () => cancelled.abort(gone.reason);
  if (gone.aborted) cancel();
  else gone.addEventListener('abort', cancel, { once: true });
  const authenticate = async () => {
    const credential = readCredential(request);
    if (credential !== undefined) await useCases.authenticate(call, credential);
  };
  const call: Call = { principal: undefined, requestId, signal, recheck: authenticate, record };
  return {
    call,
    async identify() {
      if (!call.principal) await authenticate();
    },
    cancel,
    report(error) {
      if (!(error instanceof AppError) && !signal.aborted) onUnexpected(error, requestId);
    },
  };
}
