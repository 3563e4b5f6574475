import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Call } from '../../core/call.ts';
import { AppError } from '../../core/errors.ts';
import { PERIODS } from '../../core/limits.ts';
import type { Principal } from '../../core/model.ts';
import { PERMISSIONS } from '../../core/policy.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ToUnavailable } from '../outage.ts';
import { verifyToken } from './frontend-token.ts';
import { createTokenOwners } from './token-owners.ts';

const CACHE_MS = PERIODS.credentialSeconds * 1000;

/**
 * Identifies the caller by a credential, and sets the principal of the call.
 *
 * @throws AppError INVALID_CREDENTIAL when the credential is unknown, malformed or revoked;
 *   TOKEN_EXPIRED
 */
export function createAuthenticate({
  prisma,
  query,
  tokenSecret,
  toUnavailable,
}: Pick<Dependencies, 'prisma' | 'query' | 'tokenSecret'> & { toUnavailable: ToUnavailable }) {
  const apiKeys = new LRUCache<string, Principal>({ max: 10_000, ttl: CACHE_MS });
  const findOwner = createTokenOwners({ query }, CACHE_MS);

  return async function authenticate(call: Call, credential: string): Promise<void> {
    const find = isToken(credential) ? readToken : findApiKey;
    try {
      const principal = await call.record.time('auth', () => find(credential));
      if (!principal) throw new AppError('INVALID_CREDENTIAL');
      call.principal = principal;
      call.record.customerId = principal.customerId;
    } catch (error) {
      throw toUnavailable(error, call.requestId);
    }
  };

  async function findApiKey(apiKey: string): Promise<Principal | undefined> {
    const digest = digestOf(apiKey);
    const known = apiKeys.get(digest);
    if (known) return known;
    const row = await prisma.apiKey.findFirst({
      where: { hash: hashOf(digest), revoked: null },
      select: { id: true, customer: { select: { key: true, id: true } } },
    });
    if (!row) return undefined;
    const principal: Principal = {
      kind: 'api-key',
      keyId: row.id,
      customerKey: row.customer.key,
      customerId: row.customer.id,
    };
    apiKeys.set(digest, principal);
    return principal;
  }

  async function readToken(token: string): Promise<Principal | undefined> {
    const claims = await verifyToken(token, tokenSecret);
    if (!claims) return undefined;
    const { customerId, datasetId, keyId, tokenId, exp, maxCredits } = claims;
    const owner = await findOwner(customerId);
    if (!owner) return undefined;
    const isRevoked =
      owner.revokedTokens.has(tokenId) || (keyId !== undefined && owner.revokedKeys.has(keyId));
    if (isRevoked) return undefined;
    return {
      kind: 'token',
      customerKey: owner.key,
      customerId,
      datasetId,
      tokenId,
      keyId,
      expires: new Date(exp * 1000),
      permissions: claims.permissions ?? PERMISSIONS,
      filters: claims.filters ?? [],
      maxCredits,
    };
  }
}

/** A JSON Web Token has three parts; an API key has no dot. */
function isToken(credential: string): boolean {
  return credential.includes('.');
}

/** The hash of an API key that is stored: a key is 256 random bits, so it needs no salt and no slow hash. */
export function hashApiKey(apiKey: string): Buffer<ArrayBuffer> {
  return hashOf(digestOf(apiKey));
}

/** The same as a string, computed for each request: this takes half as long as a buffer. */
function digestOf(apiKey: string): string {
  return hash('sha256', apiKey, 'base64');
}

function hashOf(digest: string): Buffer<ArrayBuffer> {
  return Buffer.from(digest, 'base64');
}
