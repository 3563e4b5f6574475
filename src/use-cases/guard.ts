import { authorizeDataset, requirePrincipal } from '../core/authorize.ts';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import type { Principal } from '../core/model.ts';
import { type Operation, type OperationPolicy, POLICY, RATE_WINDOWS } from '../core/policy.ts';
import type { RequestRecord } from '../core/request-record.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { RateWindow } from '../ports/rate-limiter.ts';
import type { Charges } from './accounts/charges.ts';
import { costOf } from './accounts/cost.ts';
import type { Charge } from './accounts/credits.ts';
import type { Attempt, Idempotency } from './accounts/idempotency.ts';
import { createPaidWork, type Payer } from './accounts/paid-work.ts';
import type { Dependencies } from './dependencies.ts';
import { readDatasetId, readIdempotencyKey } from './input.ts';
import type { ToUnavailable } from './outage.ts';
import { relay } from './relay.ts';

/** The caller of an operation that the guard let through. */
export interface Caller {
  principal: Principal;
  customerKey: number;
  customerId: string;
  requestId: string;
  signal: AbortSignal;
  recheck: Call['recheck'];
  record: RequestRecord;
  /** What the operation costs, in credits. */
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

type CallerOf<O extends Operation> = (typeof POLICY)[O]['scope'] extends 'dataset'
  ? DatasetCaller
  : Caller;

/** The input of a request before it is validated. */
export type Input<T = object> = T & { datasetId?: unknown; idempotencyKey?: unknown };

/** The input and the work of an operation. */
export interface UseCase<O extends Operation, I, V, R> {
  /** Validates the input; throws an AppError when it is invalid. */
  read: (input: I) => V;
  /** How many units of the price the input costs; 1 by default. */
  units?: (input: V) => number;
  /** What a repeat must ask for again, as JSON can say it; by default the input. */
  fingerprint?: (input: V) => unknown;
  /** Whether a result of a stream is the last: it is sent once it is kept. */
  isLast?: (result: R extends AsyncIterable<infer T> ? T : never) => boolean;
  run: (caller: CallerOf<O>, input: V) => R;
}

/**
 * Applies POLICY to an operation before its work begins, cheapest check first and credits last:
 * credential, dataset, input, rate limit, idempotency key, credits. A charge is captured with the first
 * result, and refunded when the work fails before it.
 */
export function createGuard({
  rateLimiter,
  prices,
  charges,
  idempotency,
  toUnavailable,
}: Pick<Dependencies, 'rateLimiter' | 'prices'> & {
  charges: Charges;
  idempotency: Idempotency;
  toUnavailable: ToUnavailable;
}) {
  const count = createCount(rateLimiter);
  const paid = createPaidWork(charges);

  return {
    /** Guards an operation with one result. */
    single<O extends Operation, I, V, R>(
      operation: O,
      useCase: UseCase<O, Input<I>, V, Promise<R>>,
    ) {
      return (call: Call, input: Input<I>): Promise<R> =>
        call.record.operate(operation, call.signal, () => run(call, input));

      async function run(call: Call, input: Input<I>): Promise<R> {
        try {
          const { caller, read, repeatable } = await admit(
            'single',
            operation,
            useCase,
            call,
            input,
          );
          return await idempotency.once(repeatable, (attempt) => {
            const paying = { ...caller, ...(attempt && { attempt, signal: attempt.signal }) };
            return paid.single(paying, (charge) => useCase.run({ ...paying, charge }, read));
          });
        } catch (error) {
          throw toUnavailable(error, call.requestId);
        }
      }
    },

    /** Guards an operation with a stream of results. */
    stream<O extends Operation, I, V, R>(
      operation: O,
      useCase: UseCase<O, Input<I>, V, AsyncIterable<R>>,
    ) {
      return (call: Call, input: Input<I>): AsyncGenerator<R, void, undefined> =>
        call.record.operateEach(operation, call.signal, run(call, input));

      async function* run(call: Call, input: Input<I>): AsyncGenerator<R, void, undefined> {
        try {
          const { caller, read, repeatable } = await admit(
            'stream',
            operation,
            useCase,
            call,
            input,
          );
          const results = (paying: typeof caller) => (charge: Charge | undefined) =>
            useCase.run({ ...paying, charge }, read);
          if (!repeatable) {
            yield* paid.stream(caller, results(caller));
            return;
          }
          const start = (emit: (result: R) => void) =>
            idempotency.once(repeatable, (attempt) => {
              const paying = { ...caller, ...(attempt && { attempt, signal: attempt.signal }) };
              return paid.single(paying, (charge) => collect(results(paying)(charge), emit));
            });
          yield* relay(start, call.signal);
        } catch (error) {
          throw toUnavailable(error, call.requestId);
        }

        async function collect(results: AsyncIterable<R>, emit: (result: R) => void) {
          const all: R[] = [];
          for await (const result of results) {
            all.push(result);
            if (!useCase.isLast?.(result)) emit(result);
          }
          return all;
        }
      }
    },

    /** Reads the caller's rate window, for a call that was rejected before it was counted. */
    async peek(operation: Operation, call: Call): Promise<void> {
      const window = call.principal && windowOf(POLICY[operation], call.principal);
      if (window) call.rate ??= await rateLimiter.peek(window);
    },
  };

  async function admit<O extends Operation, I, V, R>(
    kind: 'single' | 'stream',
    operation: O,
    useCase: UseCase<O, Input<I>, V, R>,
    call: Call,
    input: Input<I>,
  ) {
    const policy: OperationPolicy = POLICY[operation];
    const principal = requirePrincipal(operation, call.principal);
    const caller = {
      principal,
      customerKey: principal.customerKey,
      customerId: principal.customerId,
      requestId: call.requestId,
      signal: call.signal,
      recheck: call.recheck,
      record: call.record,
      datasetId: authorizeDataset(operation, principal, readDatasetId(input.datasetId)),
    };
    const read = useCase.read(input);
    const key = readIdempotencyKey(input.idempotencyKey);
    await count(policy, principal, call);
    const cost = costOf(prices, operation, useCase.units?.(read));
    const request = [kind, caller.datasetId, useCase.fingerprint?.(read) ?? read];
    const onReplay = () => {
      call.replayed = true;
    };
    return {
      caller: { ...caller, cost, reason: policy.price } as CallerOf<O> & Payer,
      read,
      repeatable:
        key !== undefined && policy.repeatable
          ? { key, operation, principal, request, onReplay }
          : undefined,
    };
  }
}

/** Counts a call in its rate window, unless it was counted before its body was read. */
export function createCount(rateLimiter: Dependencies['rateLimiter']) {
  return async (policy: OperationPolicy, principal: Principal, call: Call): Promise<void> => {
    const window = windowOf(policy, principal);
    if (!window) return;
    if (call.counted === window.name) {
      call.counted = null;
      return;
    }
    const { allowed, ...rate } = await call.record.time('rate', () => rateLimiter.consume(window));
    call.rate = rate;
    if (!allowed) throw new AppError('RATE_LIMITED', { retryAfterSeconds: rate.resetSeconds });
  };
}

function windowOf(policy: OperationPolicy, { customerKey }: Principal): RateWindow | null {
  const { window: name } = policy;
  return name && { customerKey, name, limit: RATE_WINDOWS[name] };
}
