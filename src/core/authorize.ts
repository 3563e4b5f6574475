import { AppError } from './errors.ts';
import type { Filter } from './filter.ts';
import type { Principal } from './model.ts';
import { type Operation, type OperationPolicy, type Permission, POLICY } from './policy.ts';

/*
 * Decides who may do what; the rules are the rows of POLICY. Decisions that depend on the input or the
 * result are made in the use-cases: the permissions that `onDuplicate` requires (`NEEDED` in
 * `duplicates.ts`), whether skipped and replaced files are shown (`uploaded.ts`, `ingestion.ts`), and what
 * a token sees of the account of its customer (`viewer.ts`).
 */

/**
 * Checks that the caller may run an operation at all.
 *
 * @throws AppError 401 when there is no credential, or a token where an API key is required; 403 when
 *   the token does not allow it
 */
export function requirePrincipal(
  operation: Operation,
  principal: Principal | undefined,
): Principal {
  const policy: OperationPolicy = POLICY[operation];
  if (!principal) throw new AppError(policy.credential);
  if (principal.kind === 'api-key') return principal;
  if (policy.scope === 'customer') throw new AppError(policy.credential);
  if (policy.permission) requirePermission(principal, policy.permission);
  return principal;
}

/** @throws AppError PERMISSION_DENIED for a token that does not allow it */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (!hasPermission(principal, permission)) throw new AppError('PERMISSION_DENIED');
}

/** Whether the caller may do it; an API key allows everything. */
export function hasPermission(principal: Principal, permission: Permission): boolean {
  return principal.kind === 'api-key' || principal.permissions.includes(permission);
}

/**
 * Chooses the dataset of an operation: the token's, or the one that the request names, which need not be
 * a valid id: with a token, every other value is a mismatch.
 *
 * @returns none when the operation is not about one dataset
 * @throws AppError with the codes that its policy has for a dataset that is missing, or not the token's
 */
export function authorizeDataset(
  operation: Operation,
  principal: Principal,
  named: unknown,
): unknown {
  const policy: OperationPolicy = POLICY[operation];
  if (policy.scope !== 'dataset') return undefined;
  const own = visibleDataset(principal);
  if (own !== undefined && named !== undefined && named !== own) {
    throw new AppError(policy.mismatch);
  }
  const datasetId = policy.mustName ? named : (own ?? named);
  if (datasetId === undefined) throw new AppError(policy.missing);
  return datasetId;
}

/** The datasets, of those given, that a caller may see. */
export function visibleDatasets(principal: Principal, datasetIds: readonly string[]): string[] {
  const only = visibleDataset(principal);
  return datasetIds.filter((id) => only === undefined || id === only);
}

/** The filters that the metadata of every file must match for the caller to see it. */
export function visibleFiles(principal: Principal): Filter[] {
  return principal.kind === 'token' ? principal.filters : [];
}

/** The frontend token whose budget pays what the caller spends; none when only the customer pays. */
export function budgetTokenOf(principal: Principal): string | undefined {
  return principal.kind === 'token' && principal.maxCredits !== undefined
    ? principal.tokenId
    : undefined;
}

/** The only dataset that a caller may see; none for an API key, which gives access to all. */
export function visibleDataset(principal: Principal): string | undefined {
  return principal.kind === 'token' ? principal.datasetId : undefined;
}
