import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import type { Principal } from '../core/model.ts';
import {
  type Operation,
  type OperationPolicy,
  POLICY,
  RATE_WINDOWS,
  requirePrincipal,
} from '../core/policy.ts';
import type { RequestRecord } from '../core/request-record.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { RateWindow } from '../ports/rate-limiter.ts';
import type { Charges } from './accounts/charges.ts';
import type { Charge } from './accounts/credits.ts';
import type { Dependencies } from './dependencies.ts';
import { readDatasetId } from './input.ts';
import type { ToUnavailable } from './outage.ts';

/** Who works, after the guard: what a use-case may know of its caller. */
export interface Caller {
  principal: Principal;
  customerKey: number;
  customerId: string;
  requestId: string;
  signal: AbortSignal;
  record: RequestRecord;
  /** What was paid for the work, if anything. */
  charge?: Charge | undefined;
}

/** A caller whose request is about one dataset, which is theirs. */
export interface DatasetCaller extends Caller {
  datasetId: string;
}

type CallerOf<O extends Operation> = (typeof POLICY)[O]['scope'] extends 'dataset'
  ? DatasetCaller
  : Caller;

/** What a request brings: a dataset where the operation is about one, and the rest unread. */
export type Input<T = object> = T & { datasetId?: unknown };

/** An operation, and how its input is read. */
export interface UseCase<O extends Operation, I, V, R> {
  /** Reads the input; throws what the client is told of it. */
  read: (input: I) => V;
  /** How many times the price is due. Once, unless said. */
  units?: (input: V) => number;
  run: (caller: CallerOf<O>, input: V) => R;
}

/**
 * Puts the rules of POLICY before an operation, cheapest first and money last:
 * caller, scope, input, rate limit, credits, work. What was charged is kept from the first result
 * on, and given back when the work fails before it.
 */
export function createGuard({
  rateLimiter,
  prices,
  charges,
  toUnavailable,
}: Pick<Dependencies, 'rateLimiter' | 'prices'> & {
  charges: Charges;
  toUnavailable: ToUnavailable;
}) {
  const count = createCount(rateLimiter);

  return {
    /** Guards an operation with one result. */
    once<O extends Operation, I, V, R>(operation: O, useCase: UseCase<O, Input<I>, V, Promise<R>>) {
      return (call: Call, input: Input<I>): Promise<R> =>
        call.record.operate(operation, call.signal, () => run(call, input));

      async function run(call: Call, input: Input<I>): Promise<R> {
        let charge: Charge | undefined;
        try {
          const admitted = await admit(operation, useCase, call, input);
          charge = admitted.caller.charge;
          const result = await useCase.run(admitted.caller, admitted.read);
          charges.capture(charge);
          return result;
        } catch (error) {
          await settle(charge, call);
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
        let charge: Charge | undefined;
        try {
          const admitted = await admit(operation, useCase, call, input);
          charge = admitted.caller.charge;
          for await (const result of useCase.run(admitted.caller, admitted.read)) {
            charges.capture(charge);
            charge = undefined;
            yield result;
          }
        } catch (error) {
          await settle(charge, call);
          charge = undefined;
          throw toUnavailable(error, call.requestId);
        } finally {
          // Its reader went away before the first result, or there was none.
          charges.capture(charge);
        }
      }
    },

    /** Looks where the caller's rate window stands, for a call that was refused before it counted. */
    async peek(operation: Operation, call: Call): Promise<void> {
      const window = call.principal && windowOf(POLICY[operation], call.principal);
      if (window) call.rate ??= await rateLimiter.peek(window);
    },
  };

  async function admit<O extends Operation, I, V, R>(
    operation: O,
    useCase: UseCase<O, Input<I>, V, R>,
    call: Call,
    input: Input<I>,
  ) {
    const policy: OperationPolicy = POLICY[operation];
    const principal = requirePrincipal(operation, call.principal);
    const caller: Caller & { datasetId: string | undefined } = {
      principal,
      customerKey: principal.customerKey,
      customerId: principal.customerId,
      requestId: call.requestId,
      signal: call.signal,
      record: call.record,
      datasetId: chooseDataset(policy, principal, input.datasetId),
    };
    const read = useCase.read(input);
    await count(policy, principal, call);
    const charge = await pay(policy, caller, useCase.units?.(read) ?? 1);
    return { caller: { ...caller, charge } as CallerOf<O>, read };
  }

  async function pay(
    { price }: OperationPolicy,
    { customerKey, requestId, record }: Caller,
    units: number,
  ): Promise<Charge | undefined> {
    if (!price || Number(prices[price]) === 0) return undefined;
    const amount = new Prisma.Decimal(prices[price]).times(units);
    return record.time('credits', () =>
      charges.pay({ customerKey, amount, reason: price, reference: requestId }),
    );
  }

  /** A client that went away has no claim; otherwise what was not delivered is not paid for. */
  async function settle(charge: Charge | undefined, call: Call): Promise<void> {
    if (call.signal.aborted) charges.capture(charge);
    else await charges.refund(charge);
  }
}

/** Counts a call in the window of its operation, unless that was done before its body was read. */
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

export function chooseDataset(
  policy: OperationPolicy,
  principal: Principal,
  named: unknown,
): string | undefined {
  if (policy.scope !== 'dataset') return undefined;
  const datasetId = readDatasetId(named);
  if (principal.kind === 'token') {
    if (datasetId !== undefined && datasetId !== principal.datasetId) {
      throw new AppError(policy.mismatch);
    }
    return principal.datasetId;
  }
  if (datasetId === undefined) throw new AppError(policy.missing);
  return datasetId;
}
