import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { AppError, ConfigurationError } from '../core/errors.ts';
import { drainBody } from './drain-body.ts';
import { errorResponse } from './error-response.ts';
import type { Connection } from './gateway-env.ts';
import { malformed, rejectUnparsed } from './reject-unparsed.ts';
import { requestIdOf } from './request-id.ts';
import { watchBody } from './watch-body.ts';

/** The time that requests in progress get to finish when the server stops. */
const GRACE_MS = 10_000;
/** How often connections that became idle are closed when the server stops. */
const IDLE_MS = 100;
/** The time in which the headers of a request must arrive. */
const HEADERS_MS = 20_000;
const BODY_MS = 30_000;

export interface Address {
  host: string;
  port: number;
}

export interface Listening {
  /** The address, with the actual port when 0 was configured. */
  url: string;
  /** Accepts no more requests, and gives those in progress ten seconds to finish. */
  stop(): Promise<void>;
}

/**
 * Serves a fetch handler over HTTP.
 *
 * @param bodyTimeoutMs the time in which the next 30 kB of a request body, or its end, must arrive
 * @throws ConfigurationError when the address cannot be listened on
 */
export async function listen(
  fetch: (request: Request, connection: Connection) => Response | Promise<Response>,
  { host, port, bodyTimeoutMs = BODY_MS }: Address & { bodyTimeoutMs?: number },
): Promise<Listening> {
  const listener = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      if (hasDotSegment(incoming.url ?? '')) return rejectDotSegment(request);
      if (!incoming.complete && hasBody(incoming)) {
        watchBody(incoming, outgoing, bodyTimeoutMs);
        drainBody(incoming, outgoing);
      }
      return fetch(request, {
        remoteAddress: incoming.socket.remoteAddress,
        setHeader: (name, value) => outgoing.setHeader(name, value),
      });
    },
    {
      errorHandler: (error) => errorResponse(error instanceof RequestError ? malformed() : error),
    },
  );
  const options = {
    // An upload may take as long as bytes arrive (see watchBody); headers may not.
    requestTimeout: 0,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: HEADERS_MS / 4,
    // The listener rejects what has no host; Node would answer without a body.
    requireHostHeader: false,
  };
  const { host: ownHost } = new URL(addressOf({ host, port }));
  const server = createServer(options, (incoming, outgoing) => {
    // HTTP/1.0 has no header Host, and the health checks of some proxies use it.
    if (incoming.httpVersion === '1.0') incoming.headers.host ??= ownHost;
    return listener(incoming, outgoing);
  });
  rejectUnparsed(server);
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
      // Clients also keep connections open whose requests end during the shutdown.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
    },
  };
}

/** URL parsing would resolve dot segments before routing, and `/datasets/../files` would match another route. */
function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path);
}

function rejectDotSegment({ headers }: Request): Response {
  const reason = 'The path must have no . or .. segment';
  const response = errorResponse(new AppError('INVALID_INPUT', { reason }));
  response.headers.set('x-request-id', requestIdOf(headers));
  return response;
}

/** The URL of an address. */
export function addressOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
