import { AppError } from './errors.ts';
import type { Principal } from './model.ts';
import { type Operation, type OperationPolicy, POLICY } from './policy.ts';

/* Every decision about who may do what is here; the rules are the rows of POLICY. */

/**
 * Checks that the caller may run an operation at all.
 *
 * @throws AppError 401 when there is no credential, or a token where an API key is required
 */
export function requirePrincipal(
  operation: Operation,
  principal: Principal | undefined,
): Principal {
  const { scope, credential } = POLICY[operation];
  if (!principal || (scope === 'customer' && principal.kind !== 'api-key')) {
    throw new AppError(credential);
  }
  return principal;
}

/**
 * Chooses the dataset of an operation: the token's, or the one that the request names.
 *
 * @returns none when the operation is not about one dataset
 * @throws AppError 400 when the request must name one and does not, 403 when a token names another
 */
export function authorizeDataset(
  operation: Operation,
  principal: Principal,
  named: string | undefined,
): string | undefined {
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

/** Those of some datasets that a caller may see. */
export function visibleDatasets(principal: Principal, datasetIds: readonly string[]): string[] {
  const only = visibleDataset(principal);
  return datasetIds.filter((id) => only === undefined || id === only);
}

/** The only dataset that a caller may see; none for an API key, which gives access to all. */
export function visibleDataset(principal: Principal): string | undefined {
  return principal.kind === 'token' ? principal.datasetId : undefined;
}
