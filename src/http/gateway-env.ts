import type { Context } from 'hono';
import type { RequestRecord } from '../core/request-record.ts';

/** What is known of the connection of a request. */
export interface Connection {
  /** The IP address at the other end; unknown for requests without a connection. */
  remoteAddress?: string | undefined;
  /** Sets a header of the response, whichever is sent; see `setHeaders`. */
  setHeader?: ((name: string, value: string) => void) | undefined;
}

/** The variables that the gateway adds to each request. */
export interface GatewayVariables {
  requestId: string;
  record: RequestRecord;
}

/** What routes know of a request besides itself, in Hono's terms. */
export interface GatewayEnv {
  Variables: GatewayVariables;
  Bindings: Connection;
}

export type GatewayContext = Context<GatewayEnv>;
