import { authorizeDataset, requirePrincipal } from '../../core/authorize.ts';
import type { Call } from '../../core/call.ts';
import type { Principal } from '../../core/model.ts';
import { POLICY } from '../../core/policy.ts';
import { costOf } from '../accounts/cost.ts';
import type { Credits } from '../accounts/credits.ts';
import type { Dependencies } from '../dependencies.ts';
import { createCount } from '../guard.ts';
import { readDatasetId } from '../input.ts';
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
  rateLimiter,
  prices,
  toUnavailable,
}: Pick<Dependencies, 'rateLimiter' | 'prices'> & {
  credits: Credits;
  toUnavailable: ToUnavailable;
}) {
  const policy = POLICY.uploadFiles;
  const count = createCount(rateLimiter);

  return async function announceUpload(
    call: Call,
    { datasetId }: { datasetId?: unknown },
  ): Promise<Principal> {
    try {
      const principal = requirePrincipal('uploadFiles', call.principal);
      // An API key may still name it in the body.
      if (principal.kind === 'token' || datasetId) {
        authorizeDataset('uploadFiles', principal, readDatasetId(datasetId));
      }
      await count(policy, principal, call);
      call.counted = policy.window;
      await credits.check(principal.customerKey, costOf(prices, 'uploadFiles'));
      return principal;
    } catch (failure) {
      const error = toUnavailable(failure, call.requestId);
      call.record.reject('uploadFiles', call.signal, error);
      throw error;
    }
  };
}
