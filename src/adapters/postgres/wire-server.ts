import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { createBatchReader } from './wire-batches.ts';

interface Client {
  socket: Socket;
  batches: Uint8Array[];
  /** Whether it has sent its first message. */
  started: boolean;
}

/** The type of the message that is a notification. */
const NOTIFICATION = 'A'.charCodeAt(0);

/**
 * Serves the PostgreSQL protocol for a database that has a single session. Clients use it in turn,
 * each for one batch or one transaction. (@electric-sql/pglite-socket switches between clients after
 * each message, which mixes up their unnamed statements: electric-sql/pglite#1046.)
 */
export function createWireServer(database: PGlite): { server: Server; close(): Promise<void> } {
  const clients = new Set<Client>();
  const queue: Client[] = [];
  /** The client whose transaction is open. */
  let owner: Client | undefined;

  const server = createServer((socket) => {
    const client: Client = { socket, batches: [], started: false };
    const read = createBatchReader();
    clients.add(client);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => disconnect(client));
    socket.on('data', (data) => {
      for (const message of read(data)) {
        if ('reply' in message) socket.write(message.reply);
        else if ('end' in message) socket.end();
        else {
          client.batches.push(message.batch);
          queue.push(client);
        }
      }
      processQueue();
    });
  });

  function processQueue(): void {
    for (let client = next(); client; client = next()) {
      const batch = client.batches.shift();
      if (!batch) continue;
      // Copied, because PGlite reuses the buffer for its next response.
      const response = Buffer.from(database.execProtocolRawSync(batch));
      client.started = true;
      if (client.socket.writable) client.socket.write(response);
      forwardNotifications(response, client);
      owner = database.isInTransaction() ? client : undefined;
    }
  }

  /** A listening session gets its notifications with the next response: they are for all clients. */
  function forwardNotifications(response: Buffer, receiver: Client): void {
    for (let start = 0; start < response.length; ) {
      const end = start + 1 + response.readUInt32BE(start + 1);
      if (response[start] === NOTIFICATION) {
        for (const client of clients) {
          const isOther = client !== receiver && client.started && client.socket.writable;
          if (isOther) client.socket.write(response.subarray(start, end));
        }
      }
      start = end;
    }
  }

  function next(): Client | undefined {
    const index = owner ? queue.indexOf(owner) : 0;
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  function disconnect(client: Client): void {
    clients.delete(client);
    client.batches.length = 0;
    if (owner !== client) return;
    database.execProtocolRawSync(simpleQuery('ROLLBACK'));
    owner = undefined;
    processQueue();
  }

  return {
    server,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const client of clients) client.socket.destroy();
      return closed;
    },
  };
}

function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5 + text.length);
  message.write('Q');
  message.writeUInt32BE(4 + text.length, 1);
  text.copy(message, 5);
  return message;
}
