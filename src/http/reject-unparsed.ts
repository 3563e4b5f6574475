import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../core/errors.ts';
import { rejectConnection } from './reject-connection.ts';

/**
 * Answers what Node cannot parse as a request with an error in the usual form; Node's own responses have no
 * body.
 */
export function rejectUnparsed(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => responses.set(socket, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, connection) => {
    const response = responses.get(connection);
    const isAnswering = response?.headersSent && !response.writableFinished;
    if (isAnswering || !connection.writable) connection.destroy();
    else rejectConnection(connection, toAppError(code));
  });
}

function toAppError(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HEADERS_TOO_LARGE');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('BODY_TOO_LARGE');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT');
    default:
      return malformed();
  }
}

export function malformed(): AppError {
  return new AppError('INVALID_INPUT', { reason: 'The request is not valid HTTP' });
}
