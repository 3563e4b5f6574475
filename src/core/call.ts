import type { Principal, RateStatus } from './model.ts';
import type { RequestRecord } from './request-record.ts';

/** One call of one operation: what a transport knows of its caller, and what the guard tells the transport. */
export interface Call {
  principal: Principal | undefined;
  requestId: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** What the request does, and where its time goes. */
  record: RequestRecord;
  /** Set by the guard, for transports that show it. */
  rate?: RateStatus;
  /** The rate window in which this call was counted before its body was read. */
  counted?: string | null;
}
