import { invalidInput } from '../../core/errors.ts';
import { RANGES } from '../../core/limits.ts';
import { isUuid } from '../../core/uuid.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller, UseCase } from '../guard.ts';

export interface RevokeTokenInput {
  tokenId?: unknown;
}

/**
 * Revokes a frontend token of the customer by its id. Every gateway notices within `PERIODS.credentialSeconds`. The
 * gateway has no record of most tokens, so an unknown id is revoked as well. Revoking a token twice is
 * no error.
 */
export function revokeToken({ query }: Pick<Dependencies, 'query'>) {
  return {
    read({ tokenId }: RevokeTokenInput): string {
      if (typeof tokenId === 'string' && isUuid(tokenId)) return tokenId.toLowerCase();
      return invalidInput('tokenId must be the id of a token, a UUID');
    },

    async run({ customerKey }: Pick<Caller, 'customerKey'>, tokenId): Promise<{ tokenId: string }> {
      const longestLife = RANGES.tokenSeconds.max;
      await query(Prisma.sql`
        INSERT INTO frontend_token (customer_key, id, revoked, expires)
        VALUES (${customerKey}, ${tokenId}::uuid, now(), now() + ${longestLife} * interval '1 second')
        ON CONFLICT (customer_key, id) DO UPDATE
          SET revoked = coalesce(frontend_token.revoked, excluded.revoked)`);
      return { tokenId };
    },
  } satisfies UseCase<'revokeToken', RevokeTokenInput, string, Promise<{ tokenId: string }>>;
}
