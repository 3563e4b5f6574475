import type { Principal, RateStatus } from './model.ts';
import type { RequestRecord } from './request-record.ts';

/** One call of one operation: set up by a transport, and completed by the guard. */
export interface Call {
  principal: Principal | undefined;
  requestId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /**
   * Authenticates the caller again: a long stream may outlive the credential.
   *
   * @throws AppError INVALID_CREDENTIAL
   */
  recheck: () => Promise<void>;
  /** The operations of the request, and the time of each step. */
  record: RequestRecord;
  /** Set by the guard, for transports that report it. */
  rate?: RateStatus;
  /** The rate window in which the call was counted before its body was read. */
  counted?: string | null;
  /** Set by the guard when the answer is that of an earlier call with the same idempotency key. */
  replayed?: true;
}
