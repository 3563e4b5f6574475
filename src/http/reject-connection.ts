import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AppError, toPublicError } from '../core/errors.ts';
import { bodyOf, errorHeaders } from './error-response.ts';

/** Answers a request that no handler can answer, and closes its connection. */
export function rejectConnection(connection: Duplex, error: AppError): void {
  const known = toPublicError(error);
  const body = JSON.stringify(bodyOf(known));
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...errorHeaders(known),
  };
  const head = [
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
}
