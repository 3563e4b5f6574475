import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { createBatchReader } from './wire-batches.ts';

interface Client {
  socket: Socket;
  batches: Uint8Array[];
}

/**
 * Serves PostgreSQL's protocol. There is one session underneath, so clients take turns: a turn
 * lasts one batch, or one transaction. (@electric-sql/pglite-socket takes turns by message, which
 * mixes up the unnamed statements of concurrent clients: electric-sql/pglite#1046.)
 */
export function createWireServer(database: PGlite): { server: Server; close(): Promise<void> } {
  const clients = new Set<Client>();
  const queue: Client[] = [];
  let owner: Client | undefined;

  const server = createServer((socket) => {
    const client: Client = { socket, batches: [] };
    const read = createBatchReader();
    clients.add(client);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => leave(client));
    socket.on('data', (data) => {
      for (const message of read(data)) {
        if ('reply' in message) socket.write(message.reply);
        else if ('end' in message) socket.end();
        else {
          client.batches.push(message.batch);
          queue.push(client);
        }
      }
      takeTurns();
    });
  });

  function takeTurns(): void {
    for (let client = next(); client; client = next()) {
      const batch = client.batches.shift();
      if (!batch) continue;
      const answer = database.execProtocolRawSync(batch);
      // A copy: PGlite writes its next answer into the same buffer.
      if (client.socket.writable) client.socket.write(Buffer.from(answer));
      owner = database.isInTransaction() ? client : undefined;
    }
  }

  function next(): Client | undefined {
    const index = owner ? queue.indexOf(owner) : 0;
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  function leave(client: Client): void {
    clients.delete(client);
    client.batches.length = 0;
    if (owner !== client) return;
    database.execProtocolRawSync(simpleQuery('ROLLBACK'));
    owner = undefined;
    takeTurns();
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
