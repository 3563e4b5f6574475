import { Hono } from 'hono';
import { AppError } from '../core/errors.ts';
import { createSteps, type Steps } from '../core/steps.ts';
import { createCors } from './cors.ts';
import { requestIdOf } from './request-id.ts';
import { writeServerTiming } from './server-timing.ts';

/** What is known of a request on its way through the gateway. */
export interface GatewayVariables {
  requestId: string;
  steps: Steps;
}

export interface GatewayOptions {
  /** The /v1 face, its paths below /v1. */
  rest: Hono<{ Variables: GatewayVariables }>;
  /** The /graphql face. */
  graphql: (request: Request, known: GatewayVariables) => Response | Promise<Response>;
  /** Answers the download links below /storage; absent when another storage does. */
  downloads?: ((request: Request) => Promise<Response>) | undefined;
  /** The names of the parts that do not answer; none when all do. */
  ready: () => Promise<string[]>;
  corsOrigins: '*' | string[];
  /** Told of every request when it was answered (a streamed body may go on). */
  onRequest: (facts: RequestFacts) => void;
  onUnexpected: (error: unknown, requestId: string) => void;
}

export interface RequestFacts {
  requestId: string;
  method: string;
  path: string;
  status: number;
  /** Milliseconds. */
  ms: number;
}

/** The street door: every path leads to its face, with an id, a line in the log, and CORS. */
export function createGateway(options: GatewayOptions) {
  const { rest, graphql, downloads, ready, corsOrigins, onRequest, onUnexpected } = options;
  const app = new Hono<{ Variables: GatewayVariables }>();

  app.use(async (context, next) => {
    const started = performance.now();
    const requestId = requestIdOf(context.req.raw);
    const steps = createSteps();
    context.set('requestId', requestId);
    context.set('steps', steps);
    await next();
    const took = performance.now() - started;
    context.res.headers.set('x-request-id', requestId);
    context.res.headers.set('server-timing', writeServerTiming(steps, took));
    const { method, path } = context.req;
    const { status } = context.res;
    onRequest({ requestId, method, path, status, ms: Math.round(took) });
  });
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
  if (downloads) app.on(['GET', 'HEAD'], '/storage/*', ({ req }) => downloads(req.raw));
  app.all('/graphql', (context) => graphql(context.req.raw, context.var));
  app.route('/v1', rest);

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
