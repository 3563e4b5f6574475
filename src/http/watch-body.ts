import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../core/errors.ts';
import { LEAST_BYTES } from '../core/limits.ts';
import { rejectConnection } from './reject-connection.ts';

/**
 * Closes the connection of a client that sends its body too slowly. A client that waits for the gateway
 * is not affected.
 *
 * @param intervalMs the interval between checks
 */
export function watchBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  intervalMs: number,
): void {
  const { socket } = incoming;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (incoming.complete || socket.destroyed) {
      clearInterval(timer);
      return;
    }
    const isFull = incoming.readableLength >= incoming.readableHighWaterMark;
    if (!isFull && socket.bytesRead - seen < LEAST_BYTES) {
      clearInterval(timer);
      if (outgoing.headersSent) socket.destroySoon();
      else rejectConnection(socket, new AppError('REQUEST_TIMEOUT'));
      return;
    }
    seen = socket.bytesRead;
  }, intervalMs);
  timer.unref();
}
