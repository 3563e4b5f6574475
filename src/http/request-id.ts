import { randomUUID } from 'node:crypto';

const REQUEST_ID = 'x-request-id';

/** The id of a request, as a proxy before us gave it, or a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(REQUEST_ID) ?? '';
  return /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}
