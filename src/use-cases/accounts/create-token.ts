import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { AppError } from '../../core/errors.ts';
import { RANGES } from '../../core/limits.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Caller, UseCase } from '../guard.ts';
import { readDatasetId, readWholeNumber } from '../input.ts';

export interface CreateTokenInput {
  datasetId?: unknown;
  ttlSeconds?: unknown;
}

export interface CreatedToken {
  /** An HS256 JWT. */
  token: string;
  /** In seconds. */
  expiresIn: number;
  /** ISO 8601, in UTC. */
  expiresAt: string;
}

/** Creates a frontend token, which gives access to one dataset for a limited time. */
export function createToken({ tokenSecret }: Pick<Dependencies, 'tokenSecret'>) {
  return {
    read(input: CreateTokenInput) {
      const datasetId = readDatasetId(input.datasetId);
      if (datasetId === undefined) throw new AppError('DATASET_REQUIRED');
      const ttlSeconds = readWholeNumber(input.ttlSeconds, 'ttlSeconds', RANGES.tokenSeconds);
      return { datasetId, ttlSeconds };
    },

    async run(
      { customerId }: Pick<Caller, 'customerId'>,
      { datasetId, ttlSeconds },
    ): Promise<CreatedToken> {
      const now = Math.floor(Date.now() / 1000);
      const expiry = now + ttlSeconds;
      const token = await new SignJWT({ customerId, datasetId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(now)
        .setExpirationTime(expiry)
        .setJti(randomUUID())
        .sign(tokenSecret);
      return { token, expiresIn: ttlSeconds, expiresAt: new Date(expiry * 1000).toISOString() };
    },
  } satisfies UseCase<
    'createToken',
    CreateTokenInput,
    { datasetId: string; ttlSeconds: number },
    Promise<CreatedToken>
  >;
}
