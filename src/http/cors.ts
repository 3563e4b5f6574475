import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Error-Code',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Server-Timing',
  'WWW-Authenticate',
];

/**
 * Allows browsers from some or all origins to call the API and read responses. A preflight request may
 * ask for any headers, such as those of a tracing library: credentials are never cookies. Hono's middleware
 * answers preflight requests only: on other responses it would copy the body into a slower stream.
 */
export function createCors(origins: '*' | string[]): MiddlewareHandler {
  const preflight = cors({
    origin: origins,
    allowMethods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    exposeHeaders: EXPOSED,
    maxAge: 86_400,
  });
  const exposed = EXPOSED.join(',');

  return async (context, next) => {
    if (context.req.method === 'OPTIONS') return preflight(context, next);
    await next();
    const { headers } = context.res;
    headers.set('access-control-expose-headers', exposed);
    if (origins === '*') headers.set('access-control-allow-origin', '*');
    else {
      const origin = context.req.header('origin') ?? '';
      if (origins.includes(origin)) headers.set('access-control-allow-origin', origin);
      headers.append('vary', 'Origin');
    }
  };
}
