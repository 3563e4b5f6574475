import { randomUUID } from 'node:crypto';

/** The id of a request, as a proxy before us gave it, or a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id') ?? '';
  return /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The id of the trace that a request belongs to, as W3C's header `traceparent` tells it. */
export function traceIdOf(headers: Headers): string | undefined {
  const given = headers.get('traceparent') ?? '';
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-|$)/.exec(given)?.[1];
}
