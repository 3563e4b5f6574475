import type { Call } from '../core/call.ts';
import { type Operation, type OperationPolicy, POLICY } from '../core/policy.ts';
import type { Charges } from './accounts/charges.ts';
import { costOf } from './accounts/cost.ts';
import type { Attempt, Idempotency } from './accounts/idempotency.ts';
import { createPaidWork, type PaidCall } from './accounts/paid-work.ts';
import { type Admitted, createAdmit, windowOf } from './admit.ts';
import type { Dependencies } from './dependencies.ts';
import type { ToUnavailable } from './outage.ts';
import { relay } from './relay.ts';
import { type CallerOf, type Input, OutdatedError, type UseCase } from './use-case.ts';

export type { Caller, DatasetCaller, Input, UseCase } from './use-case.ts';

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
  const admit = createAdmit({ rateLimiter });
  const paid = createPaidWork(charges);

  return {
    /** Guards an operation with one result. */
    single<O extends Operation, I, V, R, P extends V>(
      operation: O,
      useCase: UseCase<O, Input<I>, V, Promise<R>, P>,
    ) {
      const isPlain = needsOnlyAdmission(operation, useCase);
      return (call: Call, input: Input<I>): Promise<R> =>
        call.record.operate(operation, call.signal, () => run(call, input));

      async function run(call: Call, input: Input<I>): Promise<R> {
        try {
          const admitted = await admit('single', operation, useCase, call, input);
          if (isPlain && !admitted.repeatable) {
            return await useCase.run(admitted.caller, admitted.read as P);
          }
          return await idempotency.runOnce(admitted.repeatable, (attempt) =>
            perform(operation, useCase, admitted, attempt, useCase.run),
          );
        } catch (error) {
          throw toUnavailable(error, call.requestId);
        }
      }
    },

    /** Guards an operation with a stream of results. */
    stream<O extends Operation, I, V, R, P extends V>(
      operation: O,
      useCase: UseCase<O, Input<I>, V, AsyncIterable<R>, P>,
    ) {
      const isPlain = needsOnlyAdmission(operation, useCase);
      return (call: Call, input: Input<I>): AsyncGenerator<R, void, undefined> =>
        call.record.operateEach(operation, call.signal, run(call, input));

      async function* run(call: Call, input: Input<I>): AsyncGenerator<R, void, undefined> {
        try {
          const admitted = await admit('stream', operation, useCase, call, input);
          const { repeatable } = admitted;
          if (repeatable) {
            const start = (emit: (result: R) => void) =>
              idempotency.runOnce(repeatable, (attempt) =>
                perform(operation, useCase, admitted, attempt, collect(emit)),
              );
            yield* relay(start, call.signal);
            return;
          }
          if (isPlain) {
            yield* useCase.run(admitted.caller, admitted.read as P);
            return;
          }
          const { caller, prepared } = await quote(operation, useCase, admitted);
          yield* paid.stream(caller, (charge) => useCase.run({ ...caller, charge }, prepared));
        } catch (error) {
          throw toUnavailable(error, call.requestId);
        }
      }

      /** Runs the work to its end, and emits every result except the last, which is stored first. */
      function collect(emit: (result: R) => void) {
        return async (caller: CallerOf<O>, input: P): Promise<R[]> => {
          const all: R[] = [];
          for await (const result of useCase.run(caller, input)) {
            all.push(result);
            if (!useCase.isLast?.(result)) emit(result);
          }
          return all;
        };
      }
    },

    /** Reads the caller's rate window, for a call that was rejected before it was counted. */
    async peek(operation: Operation, call: Call): Promise<void> {
      const window = call.principal && windowOf(POLICY[operation], call.principal);
      if (window) call.rate ??= await rateLimiter.peek(window);
    },
  };

  /** Charges for a call, then does its work; if the input became outdated, prepares and charges again. */
  async function perform<O extends Operation, I, V, R, P extends V, T>(
    operation: O,
    useCase: UseCase<O, I, V, R, P>,
    admitted: Admitted<O, V>,
    attempt: Attempt | undefined,
    run: (caller: CallerOf<O>, input: P) => Promise<T>,
  ): Promise<T> {
    const calling = { ...admitted.caller, ...(attempt && { attempt, signal: attempt.signal }) };
    const received = await useCase.receive?.(calling, admitted.read);
    try {
      const read = received?.input ?? admitted.read;
      // The ledger has at most one charge with each id: only the first round can use the id of the attempt.
      for (let chargeId = attempt?.id; ; chargeId = undefined) {
        const { caller, prepared } = await quote(operation, useCase, { caller: calling, read });
        try {
          return await paid.single({ ...caller, chargeId }, (charge) =>
            run({ ...caller, charge }, prepared),
          );
        } catch (error) {
          if (!(error instanceof OutdatedError)) throw error;
        }
      }
    } finally {
      await received?.discard();
    }
  }

  async function quote<O extends Operation, I, V, R, P extends V>(
    operation: O,
    { prepare, units }: UseCase<O, I, V, R, P>,
    { caller, read }: Pick<Admitted<O, V>, 'caller' | 'read'>,
  ) {
    const prepared = prepare ? await prepare(caller, read) : (read as P);
    const cost = costOf(prices, operation, units?.(prepared));
    const reason = (POLICY[operation] as OperationPolicy).price;
    return { caller: { ...caller, cost, reason } as CallerOf<O> & PaidCall, prepared };
  }
}

/** Whether an operation has no price, and nothing to fetch or to complete before its work. */
function needsOnlyAdmission<O extends Operation, I, V, R, P extends V>(
  operation: O,
  { receive, prepare }: UseCase<O, I, V, R, P>,
): boolean {
  return POLICY[operation].price === null && !receive && !prepare;
}
