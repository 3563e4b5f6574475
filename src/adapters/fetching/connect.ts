import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Address } from './resolve-target.ts';

/**
 * Asks for a URL at one of these addresses, on a connection of its own and without a proxy.
 *
 * @param signal ends the connection, also while the body is being read
 * @returns the response when its headers have come
 */
export function connect(
  url: URL,
  addresses: Address[],
  { userAgent, signal }: { userAgent: string; signal: AbortSignal },
): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(url, { agent: false, lookup, headers, signal }, resolve).on('error', reject).end();
  return promise;
}
