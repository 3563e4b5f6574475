import { Hono } from 'hono';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import { requirePrincipal } from '../core/policy.ts';
import type { RequestRecord } from '../core/request-record.ts';
import { readCredential } from '../http/credential.ts';
import type { ReceiveUpload } from '../http/receive-upload.ts';
import type { UseCases } from '../use-cases/index.ts';
import { presentError, presentRate } from './present.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

export interface RestOptions {
  useCases: UseCases;
  receiveUpload: ReceiveUpload;
  /** Told of every failure that the table of errors does not know. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** The REST face: the contract's routes on the use-cases, and its error table. */
export function createRest(options: RestOptions) {
  const app = new Hono<{ Variables: { requestId: string; record: RequestRecord } }>();
  for (const [path, routes] of Map.groupBy(ROUTES, ([, path]) => path)) {
    for (const [method, , operation, handler] of routes) {
      app.on(method, path, (context) =>
        answer(options, operation, handler, {
          request: context.req.raw,
          requestId: context.get('requestId'),
          record: context.get('record'),
          params: context.req.param(),
        }),
      );
    }
    const allow = routes.map(([method]) => method);
    app.all(path, () => {
      const response = presentError(new AppError('METHOD_NOT_ALLOWED'));
      response.headers.set('allow', allow.join(', '));
      return response;
    });
  }
  return app;
}

async function answer(
  { useCases, receiveUpload, onUnexpected }: RestOptions,
  operation: Route[2],
  handler: Route[3],
  {
    request,
    requestId,
    record,
    params,
  }: { request: Request; requestId: string; record: RequestRecord; params: Record<string, string> },
): Promise<Response> {
  const gone = new AbortController();
  const call: Call = {
    principal: undefined,
    requestId,
    signal: AbortSignal.any([request.signal, gone.signal]),
    record,
  };
  const fail = (error: unknown) => {
    if (!(error instanceof AppError) && !call.signal.aborted) onUnexpected(error, requestId);
  };
  let response: Response;
  try {
    const credential = readCredential(request);
    if (credential !== undefined) await useCases.authenticate(call, credential);
    // Before the body is read: who may not call is not listened to.
    requirePrincipal(operation, call.principal);
    const { searchParams: query } = new URL(request.url);
    response = await handler({
      request,
      call,
      params,
      query,
      useCases,
      receiveUpload,
      fail,
      leave: () => gone.abort(),
    });
  } catch (error) {
    fail(error);
    record.refuse(operation, call.signal, error);
    response = presentError(error);
    await useCases.peekRate(operation, call);
  }
  presentRate(response, call);
  return response;
}
