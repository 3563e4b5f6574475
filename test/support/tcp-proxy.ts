import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Socket,
} from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A port of its own that leads to a server, until a test cuts the way. */
export async function startTcpProxy(target: NetConnectOpts) {
  const open = new Set<Socket>();
  let isStalled = false;
  const server = createServer((socket) => {
    const beyond = connect(target);
    open.add(socket);
    // Half-open connections are of no use to a database: one end takes the other with it.
    for (const [end, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      end.setNoDelay(true);
      end.on('data', (data) => isStalled || other.write(data));
      end.on('error', () => {});
      end.on('close', () => other.destroy());
    }
    socket.on('close', () => open.delete(socket));
  });
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    port,

    /** How many connections there are. */
    count: () => open.size,

    /** Ends the connections there are; new ones are let in. */
    cut,

    /** Ends all connections and refuses new ones until it is `back`. */
    async away(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
    back: () => listen(port),

    /** Lets connections stand and loses what is sent on them, as a host does that is switched off. */
    stall(): void {
      isStalled = true;
    },
    flow(): void {
      isStalled = false;
    },

    async close(): Promise<void> {
      if (server.listening) await this.away();
    },
  };

  async function listen(on: number): Promise<void> {
    server.listen(on, '127.0.0.1');
    await once(server, 'listening');
  }

  function cut(): void {
    for (const socket of open) socket.destroy();
  }
}
