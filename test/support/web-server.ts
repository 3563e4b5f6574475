import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server on this machine, of which tests fetch files. */
export interface WebServer {
  port: number;
  /** The paths that were asked for, oldest first. */
  asked: string[];
  /** Connections that are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** @param pages by path, without the query */
export async function startWebServer(pages: Record<string, RequestListener>): Promise<WebServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path.split('?')[0] ?? ''];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A page that is always the same. */
export function page(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
  };
}

export function redirect(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { location }).end();
}
