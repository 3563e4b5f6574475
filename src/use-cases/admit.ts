import { authorizeDataset, requirePrincipal, visibleFiles } from '../core/authorize.ts';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import type { Principal } from '../core/model.ts';
import { type Operation, type OperationPolicy, POLICY, RATE_WINDOWS } from '../core/policy.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { RateWindow } from '../ports/rate-limiter.ts';
import type { Repeatable } from './accounts/idempotency.ts';
import type { Dependencies } from './dependencies.ts';
import { isMissing, readDatasetId, readIdempotencyKey } from './input.ts';
import type { CallerOf, Input, UseCase } from './use-case.ts';

/** A call that may be paid. */
export interface Admitted<O extends Operation, V> {
  caller: CallerOf<O>;
  read: V;
  repeatable: Repeatable | undefined;
}

/** Checks everything about a call that costs nothing: credential, dataset, input, and rate limit. */
export function createAdmit({ rateLimiter }: Pick<Dependencies, 'rateLimiter'>) {
  const count = createCount(rateLimiter);

  return async function admit<O extends Operation, I, V, R, P extends V>(
    kind: 'single' | 'stream',
    operation: O,
    useCase: UseCase<O, Input<I>, V, R, P>,
    call: Call,
    input: Input<I>,
  ): Promise<Admitted<O, V>> {
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
      filters: visibleFiles(principal),
      cost: new Prisma.Decimal(0),
      datasetId: chooseDataset(operation, principal, input.datasetId),
    };
    const read = useCase.read(input);
    const key = readIdempotencyKey(input.idempotencyKey);
    await count(policy, principal, call);
    const request = [kind, caller.datasetId, useCase.fingerprint?.(read) ?? read];
    const onReplay = () => {
      call.replayed = true;
    };
    return {
      caller: caller as CallerOf<O>,
      read,
      repeatable:
        key !== undefined && policy.repeatable
          ? { key, operation, principal, request, onReplay }
          : undefined,
    };
  };
}

/**
 * The dataset of a call. It is read after it is authorized, so that a token's caller who names another
 * dataset always gets the error for that, also for an id that no dataset can have.
 */
export function chooseDataset(
  operation: Operation,
  principal: Principal,
  named: unknown,
): string | undefined {
  const given = isMissing(named) ? undefined : named;
  return readDatasetId(authorizeDataset(operation, principal, given));
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

/** The rate window of a caller; none when the operation has none. */
export function windowOf(policy: OperationPolicy, { customerKey }: Principal): RateWindow | null {
  const { window: name } = policy;
  return name && { customerKey, name, limit: RATE_WINDOWS[name] };
}
