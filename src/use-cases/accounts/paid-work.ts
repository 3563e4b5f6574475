import { budgetTokenOf } from '../../core/authorize.ts';
import type { Principal } from '../../core/model.ts';
import type { RequestRecord } from '../../core/request-record.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Charge } from './charge-statements.ts';
import type { Charges } from './charges.ts';
import type { Attempt } from './idempotency.ts';

/** A call that is paid: who pays, how much, and for what. */
export interface PaidCall {
  principal: Principal;
  requestId: string;
  signal: AbortSignal;
  record: RequestRecord;
  /** In credits. */
  cost: Prisma.Decimal;
  /** The name of a price. */
  reason: string | null;
  /** A UUID; a new one by default. */
  chargeId?: string | undefined;
  attempt?: Attempt | undefined;
}

/** Charges for work before it begins, captures the charge with the first result, and refunds failures. */
export function createPaidWork(charges: Charges) {
  return {
    /** Work with one result, which is kept if the call can be repeated. */
    async single<R>(call: PaidCall, run: (charge: Charge | undefined) => Promise<R>): Promise<R> {
      let charge: Charge | undefined;
      try {
        charge = await pay(call);
        const result = await run(charge);
        await call.attempt?.keep(result, charge);
        charges.capture(charge);
        return result;
      } catch (error) {
        await refundUnlessAborted(charge, call);
        throw error;
      }
    },

    /** Work with a stream of results. */
    async *stream<R>(
      call: PaidCall,
      run: (charge: Charge | undefined) => AsyncIterable<R>,
    ): AsyncGenerator<R, void, undefined> {
      let charge: Charge | undefined;
      try {
        charge = await pay(call);
        for await (const result of run(charge)) {
          charges.capture(charge);
          charge = undefined;
          yield result;
        }
      } catch (error) {
        await refundUnlessAborted(charge, call);
        charge = undefined;
        throw error;
      } finally {
        // The client disconnected before the first result, or there was none.
        charges.capture(charge);
      }
    },
  };

  async function pay({ principal, cost, reason, requestId, record, chargeId }: PaidCall) {
    if (!reason || cost.isZero()) return undefined;
    const { customerKey } = principal;
    const budgetTokenId = budgetTokenOf(principal);
    const wanted = { customerKey, amount: cost, reason, reference: requestId, budgetTokenId };
    return record.time('credits', () => charges.pay(wanted, chargeId));
  }

  /** Failed work is free, unless it failed because the client disconnected. */
  async function refundUnlessAborted(charge: Charge | undefined, { signal, attempt }: PaidCall) {
    if (signal.aborted && !attempt) charges.capture(charge);
    else await charges.refund(charge);
  }
}
