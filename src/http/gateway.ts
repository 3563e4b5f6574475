import { Hono } from 'hono';
import { AppError } from '../core/errors.ts';
import type { Observer } from '../core/observer.ts';
import { createCors } from './cors.ts';
import type { Door } from './door.ts';
import { type GatewayVariables, observeRequests } from './observe-requests.ts';

export interface GatewayOptions {
  doors: Door[];
  /** Answers the download links below /storage; absent when another storage does. */
  downloads?: ((request: Request) => Promise<Response>) | undefined;
  /** Answers `/metrics`; absent when nothing is measured. */
  metrics?: ((request: Request) => Promise<Response>) | undefined;
  /** The names of the parts that do not answer; none when all do. */
  ready: () => Promise<string[]>;
  corsOrigins: '*' | string[];
  observer: Observer;
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** Leads every request to its door, with an id, a line in the log, and CORS. */
export function createGateway(options: GatewayOptions) {
  const { doors, downloads, metrics, ready, corsOrigins, observer, onUnexpected } = options;
  const app = new Hono<{ Variables: GatewayVariables }>();

  app.use(observeRequests(observer));
  app.use(createCors(corsOrigins));

  app.get('/', (context) => context.redirect('/graphql'));
  app.get('/health', () => Response.json({ status: 'ok' }));
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

  app.notFound(() => refuse(new AppError('NOT_FOUND'), 404));
  app.onError((error, context) => {
    onUnexpected(error, context.get('requestId'));
    return refuse(new AppError('INTERNAL'), 500);
  });
  return app;
}

function refuse({ message }: AppError, status: number): Response {
  return Response.json({ error: message }, { status });
}
