import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bucket, newBucket } from './supabase/buckets.ts';
import type { ServerState } from './supabase/call.ts';
import { createFaults } from './supabase/faults.ts';
import { type CallKind, handle } from './supabase/handle.ts';
import { keyOf, ROLES } from './supabase/keys.ts';
import { headersTooLarge } from './supabase/refusals.ts';

export interface SupabaseDoubleOptions {
  /** One that is free, unless given. */
  port?: number;
  /** Bytes that no object may exceed; 50 MiB unless given, as a server has it. */
  sizeLimit?: number;
  /** Whether a removal of more than 1,000 paths is refused; a server does when it is told to. */
  limitsRemovals?: boolean;
}

/** A call that came in. */
export interface SeenCall {
  /** Undefined where there is no route. */
  kind: CallKind | undefined;
  headers: IncomingMessage['headers'];
}

export type SupabaseDouble = Awaited<ReturnType<typeof startSupabaseDouble>>;

/** What a server starts with when nobody changes it. */
const JWT_SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';

/**
 * A server on this machine that speaks as Supabase Storage v1.70.6 was heard to speak, and keeps
 * everything in memory.
 */
export async function startSupabaseDouble(options: SupabaseDoubleOptions = {}) {
  const { port = 0, sizeLimit = 50 * 1024 ** 2, limitsRemovals = false } = options;
  const secret = new TextEncoder().encode(JWT_SECRET);
  const buckets = new Map<string, Bucket>();
  const roles = { ...ROLES };
  const state: ServerState = {
    ...{ buckets, secret, roles, sizeLimit, limitsRemovals },
    linkSecret: secret,
    beforeStore: async () => {},
  };
  const faults = createFaults<CallKind>();
  const calls: SeenCall[] = [];

  const server = createServer((request, response) => {
    handle(request, response, state, (kind) => {
      calls.push({ kind, headers: request.headers });
      return kind && faults.take(kind);
    }).catch(() => response.destroy());
  });
  server.on('clientError', (_, socket) => {
    const { status, body } = headersTooLarge();
    socket.end(`HTTP/1.1 ${status} \r\nconnection: close\r\n\r\n${JSON.stringify(body)}`);
  });
  await listen(port);
  const { port: taken } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${taken}`,
    secretKey: await keyOf(secret, 'service_role'),
    /** Signs keys, and URLs until another secret does. */
    secret,
    /** What each role of the database may do; a test adds its own. */
    roles,
    buckets,
    /** In the order they came; tests may empty it. */
    calls,
    faults,

    /** Signs URLs with another secret; those of before are refused. */
    changeLinkSecret(): void {
      state.linkSecret = crypto.getRandomValues(new Uint8Array(32));
    },

    /** From now on every upload waits for this before it is stored, whoever waits for the upload. */
    beforeStore(wait: () => Promise<void>): void {
      state.beforeStore = wait;
    },

    /** Makes a bucket, private unless told otherwise. */
    addBucket(name: string, settings: Partial<Bucket> = {}): Bucket {
      const bucket = newBucket({ name, ...settings });
      buckets.set(name, bucket);
      return bucket;
    },

    /** Refuses connections until it is `back`. */
    away: stop,
    back: () => listen(taken),
    close: stop,
  };

  async function listen(on: number): Promise<void> {
    server.listen(on, '127.0.0.1');
    await once(server, 'listening');
  }

  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
