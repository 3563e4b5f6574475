import { randomUUID } from 'node:crypto';

/** The id of a request from the header `X-Request-Id`, or a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id') ?? '';
  return /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The trace id from the W3C header `traceparent`. */
export function traceIdOf(headers: Headers): string | undefined {
  const given = headers.get('traceparent') ?? '';
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-|$)/.exec(given)?.[1];
}
