import { type Context, Hono } from 'hono';
import { requirePrincipal } from '../core/authorize.ts';
import { AppError } from '../core/errors.ts';
import { type Door, openCall, type Service } from '../http/door.ts';
import { errorResponse } from '../http/error-response.ts';
import type { GatewayVariables } from '../http/observe-requests.ts';
import { presentRate } from './present.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

type RestContext = Context<{ Variables: GatewayVariables }>;

/** REST /v1: the routes of the contract. */
export function createRest(service: Service): Door {
  const routes: Door['routes'] = new Hono();
  for (const [path, rows] of Map.groupBy(ROUTES, ([, path]) => path)) {
    for (const route of rows) {
      routes.on(route[0], path, (context) => answer(service, route, context));
    }
    const allow = rows.map(([method]) => method);
    routes.all(path, () => {
      const response = errorResponse(new AppError('METHOD_NOT_ALLOWED'));
      response.headers.set('allow', allow.join(', '));
      return response;
    });
  }
  return { path: '/v1', routes };
}

async function answer(
  service: Service,
  [, , operation, handler]: Route,
  context: RestContext,
): Promise<Response> {
  const request = context.req.raw;
  const { call, identify, cancel, report } = openCall(request, context.var, service);
  const { useCases, receiveUpload } = service;
  let response: Response;
  try {
    await identify();
    // Before the handler, so that the body of a caller without access is never read.
    requirePrincipal(operation, call.principal);
    response = await handler({
      request,
      call,
      params: context.req.param(),
      searchParams: new URL(request.url).searchParams,
      idempotencyKey: request.headers.get('idempotency-key'),
      useCases,
      receiveUpload,
      report,
      cancel,
    });
  } catch (error) {
    report(error);
    call.record.reject(operation, call.signal, error);
    response = errorResponse(error);
    await useCases.peekRate(operation, call);
  }
  presentRate(response, call);
  if (call.replayed) response.headers.set('idempotent-replayed', 'true');
  return response;
}
