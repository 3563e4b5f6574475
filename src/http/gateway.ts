import { Hono } from 'hono';
import { AppError } from '../core/errors.ts';
import type { Observer } from '../core/observer.ts';
import { createCors } from './cors.ts';
import type { Door } from './door.ts';
import { errorResponse } from './error-response.ts';
import type { GatewayEnv } from './gateway-env.ts';
import { observeRequests } from './observe-requests.ts';

export interface GatewayOptions {
  doors: Door[];
  /** Serves the download links below /storage; absent when the storage serves them itself. */
  downloads?: ((request: Request) => Promise<Response>) | undefined;
  /** Serves `/metrics`; absent when metrics are off. */
  metrics?: ((request: Request) => Promise<Response>) | undefined;
  /** The names of the parts that are not available. */
  ready: () => Promise<string[]>;
  /** The version of filequery, for `/health`. */
  version: string;
  corsOrigins: '*' | string[];
  observer: Observer;
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** Routes every request to its door. Adds the request id, CORS headers and observation. */
export function createGateway(options: GatewayOptions) {
  const { doors, downloads, metrics, ready, version, corsOrigins, observer, onUnexpected } =
    options;
  const app = new Hono<GatewayEnv>();

  app.use(observeRequests(observer));
  app.use(createCors(corsOrigins));

  app.get('/health', () => Response.json({ status: 'ok', version }));
  app.get('/ready', async () => {
    const failing = await ready();
    const isReady = failing.length === 0;
    return Response.json(isReady ? { status: 'ready' } : { status: 'not ready', failing }, {
      status: isReady ? 200 : 503,
    });
  });
  if (metrics) app.get('/metrics', ({ req }) => metrics(req.raw));
  if (downloads) app.on(['GET', 'HEAD'], '/storage/*', ({ req }) => downloads(req.raw));
  for (const { path, routes } of doors) app.route(path, routes);

  app.notFound(() => errorResponse(new AppError('NOT_FOUND')));
  app.onError((error, context) => {
    if (!(error instanceof AppError)) onUnexpected(error, context.get('requestId'));
    return errorResponse(error);
  });
  return app;
}
