import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { requestFor } from '../http-requests.ts';
import type { Address } from './resolve-target.ts';

/**
 * Requests a URL from one of these addresses, on a separate connection and without a proxy.
 *
 * @param signal ends the connection, also while the body is being read
 * @returns the response when its headers have arrived
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
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { agent: false, lookup, headers, signal };
  requestFor(url)(url, options, resolve)
    .on('error', reject)
    // The only event after `101 Switching Protocols`, at which Node closes the connection.
    .on('close', () => reject(new Error('the connection was closed without a response')))
    .end();
  return promise;
}
