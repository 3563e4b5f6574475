import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server listen on a port of its own, for this machine only. */
export async function listening(server: Server): Promise<{ url: string }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
