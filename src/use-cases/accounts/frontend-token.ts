import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { Filter } from '../../core/filter.ts';
import { PERMISSIONS, type Permission } from '../../core/policy.ts';

/** The contents of a frontend token. */
export interface TokenClaims {
  customerId: string;
  datasetId: string;
  /** Without them, the token allows everything. */
  permissions?: Permission[] | undefined;
  /** Without them, it reaches every file of the dataset. */
  filters?: Filter[] | undefined;
  /** What its budget had at first, in credits, as an exact decimal; without it, it has none. */
  maxCredits?: string | undefined;
}

/** When and by whom a token was made. */
export interface TokenOrigin {
  /** A UUID. */
  id: string;
  /** The API key that creates it; none when the operator does. */
  keyId: string | undefined;
  /** In seconds since 1970. */
  issued: number;
  ttlSeconds: number;
}

const CLAIMS = z.object({
  customerId: z.string(),
  datasetId: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)).optional(),
  // Only this gateway signs filters, and it has validated them.
  filters: z.array(z.custom<Filter>()).optional(),
  maxCredits: z.string().optional(),
  jti: z.string().optional(),
  exp: z.number(),
}) satisfies z.ZodType<TokenClaims>;

const HEADER = z.object({ kid: z.string().optional() });

/**
 * The header of a token with limits names them as critical, so that a gateway of a version that does not
 * know them refuses the token.
 */
const LIMITED = { crit: ['limited'], limited: true };
const CRITICAL = { limited: true };

/** Signs a frontend token: an HS256 JWT. */
export function signToken(
  { customerId, datasetId, ...limits }: TokenClaims,
  { id, keyId, issued, ttlSeconds }: TokenOrigin,
  secret: Uint8Array,
): Promise<string> {
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  const claims: JWTPayload = { customerId, datasetId, ...limits };
  return new SignJWT(claims)
    .setProtectedHeader({
      alg: 'HS256',
      typ: 'JWT',
      ...(keyId !== undefined && { kid: keyId }),
      ...(isLimited && LIMITED),
    })
    .setIssuedAt(issued)
    .setExpirationTime(issued + ttlSeconds)
    .setJti(id)
    .sign(secret, { crit: CRITICAL });
}

/**
 * Reads a frontend token; `undefined` when it is not one of ours.
 *
 * @throws AppError TOKEN_EXPIRED
 */
export async function verifyToken(token: string, secret: Uint8Array) {
  const verified = await jwtVerify(token, secret, {
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
    crit: CRITICAL,
  }).catch(refuseExpired);
  const { data: claims } = CLAIMS.safeParse(verified?.payload);
  const { data: header } = HEADER.safeParse(verified?.protectedHeader);
  // A token without an id is identified by its text.
  return claims && header && { ...claims, tokenId: claims.jti ?? token, keyId: header.kid };
}

/** @throws AppError TOKEN_EXPIRED for a token that was valid; any other failure means that it never was */
function refuseExpired(error: unknown): undefined {
  if (error instanceof errors.JWTExpired) throw new AppError('TOKEN_EXPIRED');
}
