import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets pass what is left of a body that was not read to its end, so that the connection, which clients
 * keep, answers the next request. The adapter closes it when too much is left.
 */
export function drainBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('finish', () => {
    if (incoming.readableEnded) return;
    // Whoever began to read the body pauses it when nobody takes what they have read.
    incoming.removeAllListeners('data');
    incoming.resume();
  });
}
