import { jwtVerify, SignJWT } from 'jose';
import { refusal } from './refusals.ts';

/** What row-level security lets a role do. */
export type Right = 'buckets' | 'insert' | 'select' | 'delete';

/** The roles of the database. Without a policy, only the service may do anything. */
export const ROLES: Record<string, Right[]> = {
  service_role: ['buckets', 'insert', 'select', 'delete'],
  anon: [],
  authenticated: [],
};

export type Secret = Uint8Array;

/** An API key of the older kind: a JWT that names a role. */
export function keyOf(
  secret: Secret,
  role: string,
  expires: Date | string = '10y',
): Promise<string> {
  return new SignJWT({ role, iss: 'supabase' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(secret);
}

/**
 * Who calls.
 *
 * @param hides whether the call tells a bad key that the bucket is not there
 */
export async function rightsOf(
  authorization: string | undefined,
  { secret, roles, hides }: { secret: Secret; roles: Record<string, Right[]>; hides: boolean },
): Promise<Right[]> {
  if (authorization === undefined) {
    throw refusal('InvalidRequest', "headers must have required property 'authorization'");
  }
  const key = authorization.replace(/^Bearer /, '');
  const { role } = await verify(key, secret).catch((error: Error) => {
    throw hides ? refusal('NoSuchBucket') : refusal('AccessDenied', error.message);
  });
  const rights = roles[String(role ?? 'anon')];
  if (!rights) throw refusal('DatabaseError');
  return rights;
}

/** The token of a signed URL. */
export function signUrl(secret: Secret, url: string, expiresIn: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ url, scope: 'download', iat: now, exp: now + expiresIn })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret);
}

/** @returns when the URL ends, in seconds since 1970 */
export async function checkUrl(
  secret: Secret,
  tokens: string[],
  url: string,
): Promise<number | undefined> {
  const [token, another] = tokens;
  if (token === undefined) {
    throw refusal('InvalidRequest', "querystring must have required property 'token'");
  }
  if (another !== undefined) throw refusal('InvalidRequest', 'querystring/token must be string');
  const claims = await verify(token, secret).catch((error: Error) => {
    throw refusal('InvalidJWT', error.message);
  });
  // Older tokens have neither a scope nor an end.
  if (claims['url'] !== url || (claims['scope'] ?? 'download') !== 'download') {
    throw refusal('InvalidSignature');
  }
  return claims.exp;
}

async function verify(token: string, secret: Secret) {
  return (await jwtVerify(token, secret, { algorithms: ['HS256'] })).payload;
}
