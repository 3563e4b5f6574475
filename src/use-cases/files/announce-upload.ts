import { budgetTokenOf, requirePrincipal } from '../../core/authorize.ts';
import type { Call } from '../../core/call.ts';
import { AppError } from '../../core/errors.ts';
import type { Principal } from '../../core/model.ts';
import { POLICY } from '../../core/policy.ts';
import { costOf } from '../accounts/cost.ts';
import type { Credits } from '../accounts/credits.ts';
import { createIdempotencyKeys } from '../accounts/idempotency-keys.ts';
import { chooseDataset, createCount } from '../admit.ts';
import type { Dependencies } from '../dependencies.ts';
import { readIdempotencyKey } from '../input.ts';
import type { ToUnavailable } from '../outage.ts';

/**
 * Checks what is known about an upload before its body is read, so that the body of a caller who may
 * not upload is never received: credential, dataset, rate limit, and credits for one file. The call is
 * counted here; nothing is charged.
 *
 * @returns a function that throws what `uploadFiles` would
 */
export function createAnnounceUpload({
  credits,
  query,
  rateLimiter,
  prices,
  toUnavailable,
}: Pick<Dependencies, 'query' | 'rateLimiter' | 'prices'> & {
  credits: Credits;
  toUnavailable: ToUnavailable;
}) {
  const policy = POLICY.uploadFiles;
  const count = createCount(rateLimiter);
  const idempotencyKeys = createIdempotencyKeys({ query });

  return async function announceUpload(
    call: Call,
    { datasetId, idempotencyKey }: { datasetId?: unknown; idempotencyKey?: unknown },
  ): Promise<Principal> {
    try {
      const principal = requirePrincipal('uploadFiles', call.principal);
      // An API key may still name it in the body.
      if (principal.kind === 'token' || datasetId) {
        chooseDataset('uploadFiles', principal, datasetId);
      }
      readIdempotencyKey(idempotencyKey);
      await count(policy, principal, call);
      call.counted = policy.window;
      await checkCredits(principal);
      return principal;
    } catch (failure) {
      const error = toUnavailable(failure, call.requestId);
      call.record.reject('uploadFiles', call.signal, error);
      throw error;
    }
  };

  /** The body may have the key of an upload that was paid: a repeat of it needs no credits. */
  async function checkCredits(principal: Principal): Promise<void> {
    const { customerKey } = principal;
    try {
      const payer = { customerKey, budgetTokenId: budgetTokenOf(principal) };
      await credits.check(payer, costOf(prices, 'uploadFiles'));
    } catch (error) {
      const canRepeat =
        error instanceof AppError &&
        error.code === 'INSUFFICIENT_CREDITS' &&
        (await idempotencyKeys.hasAnswers(customerKey));
      if (!canRepeat) throw error;
    }
  }
}
