import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP has it in JSON. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Export {
  resourceSpans: {
    resource: Pick<CollectedSpan, 'attributes'>;
    scopeSpans: { spans: CollectedSpan[] }[];
  }[];
}

/**
 * A server that takes OTLP or webhooks over HTTP, and keeps what it is sent.
 *
 * @param ports it listens on the first that is free
 */
export async function startCollector(ports = [0]) {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let refusals = 0;
  const server = createServer(async (request, response) => {
    requests.push({
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    });
    response
      .writeHead(refusals-- > 0 ? 500 : 200, { 'content-type': 'application/json' })
      .end('{}');
  });
  for (const port of ports) {
    const listening = once(server.listen(port, '127.0.0.1'), 'listening');
    if (await listening.catch(() => undefined)) break;
  }
  const { port } = server.address() as AddressInfo;
  const exports = () => requests.map(({ body }): Export => JSON.parse(body));
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Answers the next requests with 500. */
    refuse(count: number): void {
      refusals = count;
    },
    spans: () =>
      exports().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    resources: () =>
      exports().flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => resource)),
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
