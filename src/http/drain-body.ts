import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Discards the rest of a body that was not read to its end, so that the connection, which clients keep
 * open, can serve the next request. The adapter closes it when too much is left.
 */
export function drainBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('finish', () => {
    if (incoming.readableEnded) return;
    // A reader that was stopped leaves the stream paused.
    incoming.removeAllListeners('data');
    incoming.resume();
  });
}
