import { Hono } from 'hono';
import { requirePrincipal } from '../core/authorize.ts';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import { type Door, openCall, type Service } from './door.ts';
import type { GatewayContext } from './gateway-env.ts';
import type { Route } from './route.ts';
import { setHeaders } from './set-headers.ts';

export interface RouteDoorOptions {
  /** The path of the door, such as `/v1`; doors may share one. */
  path: string;
  routes: readonly Route[];
  /** Renders a failure in the form of the protocol, with the status of its code. */
  renderError: (error: unknown) => Response;
}

/** A door of a protocol whose every route is one operation. */
export function createRouteDoor(service: Service, options: RouteDoorOptions): Door {
  const { path, renderError } = options;
  const routes: Door['routes'] = new Hono();
  for (const [below, rows] of Map.groupBy(options.routes, ([, below]) => below)) {
    for (const route of rows) {
      routes.on(route[0], below, (context) => answer(service, route, renderError, context));
    }
    const allow = rows.map(([method]) => method);
    routes.all(below, () => {
      const response = renderError(new AppError('METHOD_NOT_ALLOWED'));
      response.headers.set('allow', allow.join(', '));
      return response;
    });
  }
  return { path, routes };
}

async function answer(
  service: Service,
  [, , operation, handler]: Route,
  renderError: RouteDoorOptions['renderError'],
  context: GatewayContext,
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
      searchParams: queryOf(request.url),
      idempotencyKey: request.headers.get('idempotency-key'),
      useCases,
      receiveUpload,
      report,
      cancel,
    });
  } catch (error) {
    report(error);
    call.record.reject(operation, call.signal, error);
    response = renderError(error);
    await useCases.peekRate(operation, call);
  }
  // The body is dropped: unless it is cancelled, a stream would never end.
  if (request.method === 'HEAD') await response.body?.cancel();
  setHeaders(context.env, response, headersOf(call));
  return response;
}

/** The query of a URL; parsing the whole URL would take three times as long. */
function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(url)?.[1]);
}

/**
 * The `X-RateLimit-*` headers, once the guard has checked the caller's rate window, and the header of a
 * replay.
 */
function headersOf({ rate, replayed }: Call): Record<string, string> {
  return {
    ...(rate && {
      'x-ratelimit-limit': String(rate.limit),
      'x-ratelimit-remaining': String(rate.remaining),
      'x-ratelimit-reset': String(rate.resetSeconds),
    }),
    ...(replayed && { 'idempotent-replayed': 'true' }),
  };
}
