import { visibleDataset } from '../core/authorize.ts';
import type { RouteContext } from '../http/route.ts';

/**
 * The dataset of a request: the first one that it names, in its body or in its URL. With a token, no place
 * may name another dataset than the token's, so one that does comes before one that does not.
 */
export function namedDataset(
  { call, searchParams }: Pick<RouteContext, 'call' | 'searchParams'>,
  inBody?: unknown,
): unknown {
  const named = [inBody, ...searchParams.getAll('datasetId')].filter((id) => (id ?? '') !== '');
  const own = call.principal && visibleDataset(call.principal);
  return named.find((id) => id !== own) ?? own;
}
