import { hash } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Call } from '../../core/call.ts';
import { AppError } from '../../core/errors.ts';
import type { Principal } from '../../core/model.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ToUnavailable } from '../outage.ts';

/** How long a credential is cached, and therefore how long a revoked key still works. */
const TRUST_MS = 30_000;

/**
 * Identifies the caller by a credential, and sets the principal of the call.
 *
 * @throws AppError INVALID_CREDENTIAL when the credential is unknown, malformed or revoked;
 *   TOKEN_EXPIRED
 */
export function createAuthenticate({
  prisma,
  tokenSecret,
  toUnavailable,
}: Pick<Dependencies, 'prisma' | 'tokenSecret'> & { toUnavailable: ToUnavailable }) {
  const apiKeys = new LRUCache<string, Principal>({ max: 10_000, ttl: TRUST_MS });
  const customers = new LRUCache<string, { key: number }>({ max: 10_000, ttl: TRUST_MS });

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
    const hashed = hashApiKey(apiKey);
    const id = hashed.toString('base64');
    const known = apiKeys.get(id);
    if (known) return known;
    const row = await prisma.apiKey.findFirst({
      where: { hash: hashed, revoked: null },
      select: { customer: { select: { key: true, id: true } } },
    });
    if (!row) return undefined;
    const principal: Principal = {
      kind: 'api-key',
      customerKey: row.customer.key,
      customerId: row.customer.id,
    };
    apiKeys.set(id, principal);
    return principal;
  }

  async function readToken(token: string): Promise<Principal | undefined> {
    const verified = await jwtVerify(token, tokenSecret, {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
    }).catch(refuseExpired);
    // A token without an id is its own.
    const { customerId, datasetId, jti = token } = verified?.payload ?? {};
    if (typeof customerId !== 'string' || typeof datasetId !== 'string') return undefined;
    const customer = await findCustomer(customerId);
    if (!customer) return undefined;
    return { kind: 'token', customerKey: customer.key, customerId, datasetId, tokenId: jti };
  }

  async function findCustomer(id: string): Promise<{ key: number } | undefined> {
    const known = customers.get(id);
    if (known) return known;
    const customer = await prisma.customer.findUnique({ where: { id }, select: { key: true } });
    if (customer) customers.set(id, customer);
    return customer ?? undefined;
  }
}

/** @throws AppError TOKEN_EXPIRED for a token that was valid; any other failure means that it never was */
function refuseExpired(error: unknown): undefined {
  if (error instanceof errors.JWTExpired) throw new AppError('TOKEN_EXPIRED');
}

/** A JSON Web Token has three parts; an API key has no dot. */
function isToken(credential: string): boolean {
  return credential.includes('.');
}

/** The stored hash of an API key. A key is 256 random bits, so it needs no salt and no slow hash. */
export function hashApiKey(apiKey: string): Buffer<ArrayBuffer> {
  return hash('sha256', apiKey, 'buffer');
}
