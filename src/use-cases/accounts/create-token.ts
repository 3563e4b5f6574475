import { randomUUID } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import type { Filter } from '../../core/filter.ts';
import { RANGES } from '../../core/limits.ts';
import type { Permission } from '../../core/policy.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UseCase } from '../guard.ts';
import { isAbsent, readDatasetId, readPermissions, readWholeNumber } from '../input.ts';
import { readAmount } from './amount.ts';
import type { CreatedToken, CreateTokenInput } from './created-token.ts';
import { signToken } from './frontend-token.ts';
import { readTokenFilters } from './token-filters.ts';

type Deps = Pick<Dependencies, 'query' | 'tokenSecret'>;

export interface WantedToken {
  datasetId: string;
  ttlSeconds: number;
  permissions: Permission[] | undefined;
  filters: Filter[] | undefined;
  maxCredits: string | undefined;
}

/** Creates a frontend token, which gives access to one dataset for a limited time. */
export function createToken(deps: Deps) {
  const issueToken = createIssueToken(deps);
  return {
    read: readWantedToken,
    run: ({ customerKey, customerId, principal: { keyId } }, wanted) =>
      issueToken({ customerKey, customerId, keyId }, wanted),
  } satisfies UseCase<'createToken', CreateTokenInput, WantedToken, Promise<CreatedToken>>;
}

/** @throws AppError DATASET_REQUIRED or INVALID_INPUT */
export function readWantedToken(input: CreateTokenInput): WantedToken {
  const datasetId = readDatasetId(input.datasetId);
  if (datasetId === undefined) throw new AppError('DATASET_REQUIRED');
  const { maxCredits } = input;
  return {
    datasetId,
    ttlSeconds: readWholeNumber(input.ttlSeconds, 'ttlSeconds', RANGES.tokenSeconds),
    permissions: readPermissions(input.permissions),
    filters: readTokenFilters(input.filters),
    maxCredits: isAbsent(maxCredits) ? undefined : readAmount(maxCredits, 'maxCredits').toFixed(),
  };
}

/** Makes a token of a customer, with its budget if it is to have one. */
export function createIssueToken({ query, tokenSecret }: Deps) {
  return async function issueToken(
    owner: { customerKey: number; customerId: string; keyId: string | undefined },
    { ttlSeconds, ...scope }: WantedToken,
  ): Promise<CreatedToken> {
    const { customerKey, customerId, keyId } = owner;
    const tokenId = randomUUID();
    const issued = Math.floor(Date.now() / 1000);
    const expiresAt = new Date((issued + ttlSeconds) * 1000).toISOString();
    if (scope.maxCredits !== undefined) {
      await query(Prisma.sql`
        INSERT INTO frontend_token (customer_key, id, credits, expires)
        VALUES (${customerKey}, ${tokenId}::uuid, ${scope.maxCredits}::numeric, ${expiresAt}::timestamptz)`);
    }
    const origin = { id: tokenId, keyId, issued, ttlSeconds };
    const token = await signToken({ customerId, ...scope }, origin, tokenSecret);
    return { token, tokenId, expiresIn: ttlSeconds, expiresAt };
  };
}
