import type { GatewayVariables } from './observe-requests.ts';

/** What is known of the connection of a request. */
export interface Connection {
  /** The IP address at the other end; unknown for requests that come over none. */
  remoteAddress?: string | undefined;
}

/** What routes know of a request besides itself, in Hono's terms. */
export interface GatewayEnv {
  Variables: GatewayVariables;
  Bindings: Connection;
}
