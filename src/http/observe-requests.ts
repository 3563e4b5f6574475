import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Observer } from '../core/observer.ts';
import { createRequestRecord } from '../core/request-record.ts';
import type { GatewayEnv } from './gateway-env.ts';
import { requestIdOf, traceIdOf } from './request-id.ts';
import { writeServerTiming } from './server-timing.ts';
import { setHeaders } from './set-headers.ts';

/** Adds an id and a record to every request and `Server-Timing` to its response, and observes it. */
export function observeRequests(observer: Observer): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const start = performance.now();
    const { headers } = context.req.raw;
    const requestId = requestIdOf(headers);
    const work = { kind: 'request', name: context.req.method, requestId, headers } as const;
    const observed = observer.begin(work);
    const record = createRequestRecord(observer);
    context.set('requestId', requestId);
    context.set('record', record);
    await observed.within(next);
    const { status } = context.res;
    setHeaders(context.env, context.res, {
      'x-request-id': requestId,
      'server-timing': writeServerTiming(record, performance.now() - start),
    });
    // Without the patterns of parameters, such as `:datasetId{[^/]*}`.
    const route = routePath(context).replaceAll(/\{[^}]*\}/g, '');
    // A streamed response may still be running.
    record.whenIdle(() => {
      const { customerId, operations, steps } = record;
      const traceId = observed.traceId ?? traceIdOf(headers);
      observed.end({
        status: String(status),
        milliseconds: performance.now() - start,
        request: { route, traceId, customerId, operations: [...operations], steps },
      });
    });
  };
}
