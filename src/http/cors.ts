import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { GatewayEnv } from './gateway-env.ts';
import { setHeaders } from './set-headers.ts';

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
export function createCors(origins: '*' | string[]): MiddlewareHandler<GatewayEnv> {
  const preflight = cors({
    origin: origins,
    allowMethods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    exposeHeaders: EXPOSED,
    maxAge: 86_400,
  });
  const exposed = { 'access-control-expose-headers': EXPOSED.join(',') };
  const toAll = { ...exposed, 'access-control-allow-origin': '*' };

  return async (context, next) => {
    if (context.req.method === 'OPTIONS') return preflight(context, next);
    await next();
    const { env, res } = context;
    if (origins === '*') return setHeaders(env, res, toAll);
    const origin = context.req.header('origin') ?? '';
    const isAllowed = origins.includes(origin);
    setHeaders(
      env,
      res,
      isAllowed ? { ...exposed, 'access-control-allow-origin': origin } : exposed,
    );
    // Responses may already have other values.
    res.headers.append('vary', 'Origin');
  };
}
