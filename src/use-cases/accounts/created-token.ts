export interface CreateTokenInput {
  datasetId?: unknown;
  ttlSeconds?: unknown;
  /** What the token allows; everything by default. */
  permissions?: unknown;
  /** Only files whose metadata matches all of them exist for the token. */
  filters?: unknown;
  /** The credit budget of the token; by default only the credits of the customer limit it. */
  maxCredits?: unknown;
}

export interface CreatedToken {
  /** An HS256 JWT. */
  token: string;
  /** The claim `jti` of the token, a UUID. */
  tokenId: string;
  /** In seconds. */
  expiresIn: number;
  /** ISO 8601, in UTC. */
  expiresAt: string;
}
