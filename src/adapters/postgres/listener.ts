import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { Client, type Pool, type PoolConfig } from 'pg';

/** A connection that listens to a channel. */
export interface Listener {
  /** Resolves when the connection has ended or notifications no longer arrive. */
  ended: Promise<unknown>;
  close(): void;
}

export interface ListenerOptions {
  channel: string;
  connection: PoolConfig;
  /** Sends the probes, on another connection, as real notifications are sent. */
  pool: Pool;
  onNotice: (payload: string) => void;
}

/** A connection that was cut by a host that disappeared is detected within the sum of both. */
const PROBE_INTERVAL_MS = 15_000;
const PROBE_TIMEOUT_MS = 3000;

/**
 * Listens to a channel on a separate connection, and probes at the start and then regularly that
 * notifications arrive: through a pooler in transaction mode, LISTEN succeeds and nothing is received.
 *
 * @throws Error when the connection fails, or the first probe
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { channel, connection, pool, onNotice } = options;
  // Ours, so that it can be destroyed: ending a session on a dead connection would wait.
  const socket = new Socket();
  const client = new Client({ ...connection, stream: () => socket });
  const probes = new Map<string, () => void>();
  client.on('error', () => socket.destroy());
  client.on('notification', ({ payload = '' }) => {
    const arrived = probes.get(payload);
    if (arrived) arrived();
    else onNotice(payload);
  });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    await probe();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  const timer = setInterval(() => probe().catch(() => socket.destroy()), PROBE_INTERVAL_MS);
  timer.unref();
  return {
    ended: ended.finally(() => clearInterval(timer)),
    close: () => socket.destroy(),
  };

  async function probe(): Promise<void> {
    const id = `probe ${randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timeout = setTimeout(
      () => reject(new Error('notifications do not arrive')),
      PROBE_TIMEOUT_MS,
    );
    probes.set(id, resolve);
    try {
      await Promise.all([promise, pool.query('SELECT pg_notify($1, $2)', [channel, id])]);
    } finally {
      clearTimeout(timeout);
      probes.delete(id);
    }
  }
}
