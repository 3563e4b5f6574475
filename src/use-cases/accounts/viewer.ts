import { budgetTokenOf, visibleDataset } from '../../core/authorize.ts';
import { memoize } from '../../core/memoize.ts';
import type { Principal, RateStatus } from '../../core/model.ts';
import { type Permission, RATE_WINDOWS, type RateWindowName } from '../../core/policy.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UseCase } from '../guard.ts';

type Deps = Pick<Dependencies, 'query' | 'rateLimiter'>;

export interface Viewer {
  customerId: string;
  /** Null for a frontend token: it must not learn about its customer. */
  customerName: string | null;
  credential: 'api-key' | 'token';
  /** The dataset of a frontend token; null for an API key. */
  datasetId: string | null;
  /** Exact, as a decimal; null when the customer is unmetered, and for a frontend token. */
  credits: string | null;
  /** Null for an API key. */
  token: TokenSummary | null;
  rateLimits: () => Promise<(RateStatus & { name: RateWindowName })[]>;
}

/** What a frontend token allows, and what is left of its credit budget. */
export interface TokenSummary {
  tokenId: string | null;
  permissions: readonly Permission[];
  expiresAt: Date;
  /** What its budget had at first, exact, as a decimal; null without a budget. */
  maxCredits: string | null;
  /** What is left in its budget. */
  creditsLeft: () => Promise<string | null>;
}

/** The caller, and the credits left. */
export function describeViewer(deps: Deps) {
  return {
    read: () => undefined,

    async run({ customerKey, customerId, principal }): Promise<Viewer> {
      const names = Object.keys(RATE_WINDOWS) as RateWindowName[];
      return {
        customerId,
        ...(await readAccount(deps, principal)),
        credential: principal.kind,
        datasetId: visibleDataset(principal) ?? null,
        token: principal.kind === 'token' ? summarise(deps, principal) : null,
        rateLimits: memoize(() =>
          Promise.all(
            names.map(async (name) => ({
              name,
              ...(await deps.rateLimiter.peek({ customerKey, name, limit: RATE_WINDOWS[name] })),
            })),
          ),
        ),
      };
    },
  } satisfies UseCase<'describeViewer', object, undefined, Promise<Viewer>>;
}

async function readAccount(
  { query }: Deps,
  { kind, customerKey }: Principal,
): Promise<Pick<Viewer, 'customerName' | 'credits'>> {
  if (kind === 'token') return { customerName: null, credits: null };
  const [row] = await query<Pick<Viewer, 'customerName' | 'credits'>>(Prisma.sql`
    SELECT name AS "customerName",
      (SELECT trim_scale(credits)::text FROM balance WHERE customer_key = ${customerKey}) AS credits
    FROM customer WHERE key = ${customerKey}`);
  if (!row) throw new Error('the customer is gone');
  return row;
}

function summarise({ query }: Deps, token: Extract<Principal, { kind: 'token' }>): TokenSummary {
  const { customerKey, tokenId = null, permissions, expires, maxCredits = null } = token;
  const budgetTokenId = budgetTokenOf(token);
  return {
    tokenId,
    permissions,
    expiresAt: expires,
    maxCredits,
    creditsLeft: memoize(async () => {
      if (budgetTokenId === undefined) return null;
      const [row] = await query<{ left: string }>(Prisma.sql`
        SELECT trim_scale(credits)::text AS left FROM frontend_token
        WHERE customer_key = ${customerKey} AND id = ${budgetTokenId}::uuid`);
      return row?.left ?? '0';
    }),
  };
}
