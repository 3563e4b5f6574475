import { visibleDataset } from '../../core/authorize.ts';
import { memoize } from '../../core/memoize.ts';
import type { RateStatus } from '../../core/model.ts';
import { RATE_WINDOWS, type RateWindowName } from '../../core/policy.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UseCase } from '../guard.ts';

export interface Viewer {
  customerId: string;
  customerName: string;
  credential: 'api-key' | 'token';
  /** The dataset of a frontend token; null for an API key. */
  datasetId: string | null;
  /** Exact, as a decimal; null when the customer is unmetered. */
  credits: string | null;
  rateLimits: () => Promise<(RateStatus & { name: RateWindowName })[]>;
}

/** The caller, and the credits left. */
export function describeViewer({
  prisma,
  rateLimiter,
}: Pick<Dependencies, 'prisma' | 'rateLimiter'>) {
  return {
    read: () => undefined,

    async run({ customerKey, customerId, principal }): Promise<Viewer> {
      const customer = await prisma.customer.findUniqueOrThrow({ where: { key: customerKey } });
      const names = Object.keys(RATE_WINDOWS) as RateWindowName[];
      return {
        customerId,
        customerName: customer.name,
        credential: principal.kind,
        datasetId: visibleDataset(principal) ?? null,
        credits: customer.credits?.toFixed() ?? null,
        rateLimits: memoize(() =>
          Promise.all(
            names.map(async (name) => ({
              name,
              ...(await rateLimiter.peek({ customerKey, name, limit: RATE_WINDOWS[name] })),
            })),
          ),
        ),
      };
    },
  } satisfies UseCase<'describeViewer', object, undefined, Promise<Viewer>>;
}
