import type { ConfigurationError } from '../core/errors.ts';
import type { Connection } from '../http/gateway-env.ts';
import type { Admin } from '../use-cases/accounts/admin.ts';
import type { Maintenance } from '../use-cases/maintenance/maintenance.ts';

/** The service with its doors: a handler for any server. */
export interface App {
  /** Answers 503 as soon as `close` has been called: clients send the request again. */
  fetch(request: Request, connection?: Connection): Response | Promise<Response>;
  admin: Admin;
  /** The key that a demo customer has or gets; only an embedded database has one. */
  demoKey: string | undefined;
  maintenance: Maintenance;
  /** Ends subscriptions that would delay the end of the server. */
  endWatches(): void;
  /** Tries once to book or refund the charges of finished requests. */
  settle(): Promise<void>;
  /** Resolves when the database has failed permanently; otherwise never resolves. */
  lost: Promise<ConfigurationError>;
  /** Finishes what runs in the background, and closes every part; running requests should have ended. */
  close(): Promise<void>;
}
