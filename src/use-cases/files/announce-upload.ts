import type { Call } from '../../core/call.ts';
import type { Principal } from '../../core/model.ts';
import { POLICY, requirePrincipal } from '../../core/policy.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Credits } from '../accounts/credits.ts';
import type { Dependencies } from '../dependencies.ts';
import { chooseDataset, createCount } from '../guard.ts';
import type { ToUnavailable } from '../outage.ts';

/**
 * Looks at what is known of an upload before its body is read, so that who may not upload is not
 * listened to: credential, dataset, rate window, and whether there are credits for one file. The
 * attempt is counted here; nothing is charged.
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
      if (principal.kind === 'token' || datasetId) chooseDataset(policy, principal, datasetId);
      await count(policy, principal, call);
      call.counted = policy.window;
      await credits.check(principal.customerKey, new Prisma.Decimal(prices.upload));
      return principal;
    } catch (failure) {
      const error = toUnavailable(failure, call.requestId);
      call.record.refuse('uploadFiles', call.signal, error);
      throw error;
    }
  };
}
