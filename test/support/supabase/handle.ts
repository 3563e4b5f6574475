import type { IncomingMessage, ServerResponse } from 'node:http';
import { BUCKET_ROUTES } from './bucket-routes.ts';
import type { Call, Route, ServerState } from './call.ts';
import { FAULTY_ANSWERS, type Fault } from './faults.ts';
import { rightsOf } from './keys.ts';
import { OBJECT_ROUTES } from './object-routes.ts';
import { badUrl, noRoute, Refusal } from './refusals.ts';
import type { Reply } from './serve-object.ts';

const ROUTES = { ...BUCKET_ROUTES, ...OBJECT_ROUTES };
const PREFIX = '/storage/v1';

export type CallKind = keyof typeof ROUTES;

/** Answers one request, as well as the fault lets it. */
export async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  server: ServerState,
  arrive: (kind: CallKind | undefined) => Fault | undefined,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://double');
  const found = findRoute(request.method ?? '', url.pathname);
  const fault = arrive(found?.kind);
  if (fault === 'hang') return;
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const reply = await answer(request, url, server, found, fault).catch(explain);
  if (fault === 'answer lost') response.destroy();
  else if (fault === 'goes astray')
    send(request, response, { body: { Key: 'elsewhere/a' } }, fault);
  else send(request, response, reply, fault);
}

interface FoundRoute {
  kind: CallKind;
  route: Route;
  /** Of the path, as they came. */
  parts: Record<string, string>;
}

function findRoute(method: string, pathname: string): FoundRoute | undefined {
  if (!pathname.startsWith(PREFIX)) return undefined;
  const path = pathname.slice(PREFIX.length);
  for (const [kind, route] of Object.entries<Route>(ROUTES)) {
    const match = route.path.exec(path);
    if (match && route.method === method.replace('HEAD', 'GET')) {
      return { kind: kind as CallKind, route, parts: { ...match.groups } };
    }
  }
  return undefined;
}

async function answer(
  request: IncomingMessage,
  { pathname, searchParams }: URL,
  server: ServerState,
  found: FoundRoute | undefined,
  fault: Fault | undefined,
): Promise<Reply> {
  const path = pathname.slice(PREFIX.length);
  const faulty = fault && FAULTY_ANSWERS[fault];
  if (faulty) throw faulty;
  if (!isDecodable(path)) throw badUrl(path);
  if (!found) throw noRoute(request.method ?? '', path);

  const { route, parts } = found;
  const { bucket = '', key = '' } = parts;
  const { secret, roles } = server;
  const call: Call = {
    request,
    server,
    rights: route.open
      ? []
      : await rightsOf(request.headers.authorization, {
          secret,
          roles,
          hides: route.hidesBadKeys ?? false,
        }),
    bucket: decodeURIComponent(bucket),
    key: decodeURIComponent(key),
    rawKey: key,
    query: searchParams,
  };
  return route.answer(call);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function explain(error: unknown): Reply {
  if (error instanceof Refusal) return error;
  // The client went away while it sent.
  throw error;
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status = 200, headers = {}, body }: Reply,
  fault: Fault | undefined,
): void {
  const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
  const bytes =
    body instanceof Buffer
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers });
  if (method === 'HEAD') response.end();
  else if (fault === 'answer cut' || fault === 'answer stalls') {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    response.write(half, () => fault === 'answer cut' && response.destroy());
  } else response.end(bytes);
}
