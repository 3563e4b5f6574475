import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { AppError, ConfigurationError, ERRORS } from '../core/errors.ts';
import { watchBody } from './watch-body.ts';

/** How long running requests may take to finish when the server stops. */
const GRACE_MS = 10_000;
/** How long the headers of a request may take to arrive. */
const HEADERS_MS = 20_000;
const BODY_MS = 30_000;

export interface Address {
  host: string;
  port: number;
}

export interface Listening {
  /** The address, with the port that was really taken. */
  url: string;
  /** Takes no more requests, and lets those that run finish for ten seconds. */
  stop(): Promise<void>;
}

/**
 * Serves a fetch handler over HTTP.
 *
 * @param bodyTimeoutMs the time in which the next 30 kB of a request's body must come, or its end
 * @throws ConfigurationError when the address cannot be listened on
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, bodyTimeoutMs = BODY_MS }: Address & { bodyTimeoutMs?: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      if (hasDotSegment(incoming.url ?? '')) return refuseDotSegment();
      watchBody(incoming, outgoing, bodyTimeoutMs);
      return fetch(request);
    },
    serverOptions: {
      // Uploads take as long as they take, while their bytes come; headers come at once.
      requestTimeout: 0,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS / 4,
    },
  }) as Server;
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new ConfigurationError(`HOST, PORT: cannot listen on ${host}:${port}: ${error.message}`);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: addressOf({ host, port: taken }),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** A dot segment would be resolved before the routes see it: `/datasets/../files` is another address than it looks. */
function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path);
}

function refuseDotSegment(): Response {
  const { message } = new AppError('INVALID_INPUT', {
    reason: 'The path must have no . or .. segment',
  });
  return Response.json({ error: message }, { status: ERRORS.INVALID_INPUT.status });
}

/** The URL of an address. */
export function addressOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
