import type { Call } from '../core/call.ts';
import type { Filter } from '../core/filter.ts';
import type { Principal } from '../core/model.ts';
import type { Operation, POLICY } from '../core/policy.ts';
import type { RequestRecord } from '../core/request-record.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Charge } from './accounts/charge-statements.ts';
import type { Attempt } from './accounts/idempotency.ts';

/** The caller of an operation that the guard has admitted. */
export interface Caller {
  principal: Principal;
  customerKey: number;
  customerId: string;
  requestId: string;
  signal: AbortSignal;
  recheck: Call['recheck'];
  record: RequestRecord;
  /** Only files whose metadata matches all of them exist for the caller. */
  filters: Filter[];
  /** What the operation costs, in credits; 0 until it is prepared. */
  cost: Prisma.Decimal;
  /** What was charged for it; none when it is free or the customer is not metered. */
  charge?: Charge | undefined;
  /** Keeps the answer of a call with an idempotency key; the guard does it after the work. */
  attempt?: Attempt | undefined;
}

/** A caller who may work on this dataset. */
export interface DatasetCaller extends Caller {
  datasetId: string;
}

export type CallerOf<O extends Operation> = (typeof POLICY)[O]['scope'] extends 'dataset'
  ? DatasetCaller
  : Caller;

/** The input of a request before it is validated. */
export type Input<T = object> = T & { datasetId?: unknown; idempotencyKey?: unknown };

/** The input and the work of an operation. */
export interface UseCase<O extends Operation, I, V, R, P extends V = V> {
  /** Validates the input; throws an AppError when it is invalid. */
  read: (input: I) => V;
  /** Fetches what the input refers to, such as URLs; once per call, and before its price is known. */
  receive?: (caller: CallerOf<O>, input: V) => Promise<Received<V>>;
  /** Completes the input with what is stored, before its price is known. */
  prepare?: (caller: CallerOf<O>, input: V) => Promise<P>;
  /** How many units of the price the input costs; 1 by default. */
  units?: (input: P) => number;
  /** What must be the same in a repeat, as a JSON value; by default the input. */
  fingerprint?: (input: V) => unknown;
  /** Whether a result of a stream is the last: it is sent once it is stored. */
  isLast?: (result: R extends AsyncIterable<infer T> ? T : never) => boolean;
  run: (caller: CallerOf<O>, input: P) => R;
}

/** An input with what was fetched for it; `discard` is called when the call has ended. */
export interface Received<V> {
  input: V;
  discard: () => Promise<void>;
}

/** The prepared input is outdated: thrown by `run`, which is then prepared and paid again. */
export class OutdatedError extends Error {
  override name = 'OutdatedError';
}
