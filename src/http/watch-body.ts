import type { IncomingMessage, ServerResponse } from 'node:http';

/** Of a body that somebody reads, so much must come in each interval, unless it ends. */
const LEAST_BYTES = 30_000;

/**
 * Cuts the connection of a client whose body comes too slowly: one that waits for the gateway,
 * or for its answer, is left alone.
 *
 * @param intervalMs how often it is looked at
 */
export function watchBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  intervalMs: number,
): void {
  if (incoming.complete || !hasBody(incoming)) return;
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
      if (!outgoing.headersSent) socket.write(TIMED_OUT);
      socket.destroySoon();
      return;
    }
    seen = socket.bytesRead;
  }, intervalMs);
  timer.unref();
}

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
