import { LRUCache } from 'lru-cache';
import { RANGES } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';

/** A customer, and which of its tokens are revoked: by their ids, or with the API key that made them. */
interface TokenOwner {
  key: number;
  revokedTokens: ReadonlySet<string>;
  revokedKeys: ReadonlySet<string>;
}

/**
 * The customers of frontend tokens, each with all its revocations: checking a token costs no statement
 * while its customer is cached.
 *
 * @param ttl how long a customer is cached, in milliseconds, and therefore how long a revoked token works
 */
export function createTokenOwners({ query }: Pick<Dependencies, 'query'>, ttl: number) {
  const owners = new LRUCache<string, TokenOwner>({ max: 10_000, ttl });

  return async function findOwner(customerId: string): Promise<TokenOwner | undefined> {
    const known = owners.get(customerId);
    if (known) return known;
    // A key may have made its last token shortly after it was revoked.
    const [found] = await query<{ key: number; keys: string[] }>(Prisma.sql`
      SELECT key, ARRAY(SELECT id::text FROM api_key WHERE customer_key = customer.key
        AND revoked > now() - ${2 * RANGES.tokenSeconds.max} * interval '1 second') AS keys
      FROM customer WHERE id = ${customerId}`);
    if (!found) return undefined;
    const { key, keys } = found;
    const tokens = await query<{ id: string }>(Prisma.sql`
      SELECT id::text FROM frontend_token WHERE customer_key = ${key} AND revoked IS NOT NULL`);
    const owner = {
      key,
      revokedTokens: new Set(tokens.map(({ id }) => id)),
      revokedKeys: new Set(keys),
    };
    owners.set(customerId, owner);
    return owner;
  };
}
