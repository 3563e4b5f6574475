import type { Connection } from './gateway-env.ts';

/**
 * Sets headers of a response. They are set on its connection, if there is one: reading `headers` of a
 * response creates an object, which takes longer than finding the route.
 */
export function setHeaders(
  { setHeader }: Connection,
  response: Response,
  headers: Record<string, string>,
): void {
  const set = setHeader ?? ((name, value) => response.headers.set(name, value));
  for (const [name, value] of Object.entries(headers)) set(name, value);
}
