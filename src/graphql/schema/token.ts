import { LIMITS, PERIODS, RANGES } from '../../core/limits.ts';
import type { Permission } from '../../core/policy.ts';
import type { CreatedToken } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { describeRange } from '../describe-range.ts';
import { idempotencyKeyField } from '../idempotency-key-field.ts';
import { FilterInput, withFilters } from './filter.ts';

export const TokenPermission = builder.enumType('TokenPermission', {
  description: 'What a frontend token allows.',
  values: {
    READ: { description: 'List and download files.' },
    ASK: { description: 'Ask questions and search. Costs credits.' },
    UPLOAD: { description: 'Upload files. Costs credits.' },
    DELETE: { description: 'Delete files, one or all of the dataset.' },
  } satisfies Record<Permission, { description: string }>,
});

const CreateTokenInput = builder.inputType('CreateTokenInput', {
  description: 'The scope and the lifetime of a frontend token.',
  fields: (t) => ({
    datasetId: t.id({ required: true, description: 'The dataset the token gives access to.' }),
    ttlSeconds: t.int({
      description: `The lifetime in seconds: ${describeRange(RANGES.tokenSeconds)}.`,
    }),
    idempotencyKey: idempotencyKeyField(t),
    permissions: t.field({
      type: [TokenPermission],
      description: 'What the token allows; everything by default.',
    }),
    filters: t.field({
      type: [FilterInput],
      description: `Only files whose metadata matches all of them exist for the token; at most ${LIMITS.tokenFilterBytes / 1024} kB.`,
    }),
    maxCredits: t.field({
      type: 'Decimal',
      description:
        'The credit budget of the token: the most that can be charged with it, without refunded charges. Each charge is also taken from the credits of the customer, which alone limit a token without a budget.',
    }),
  }),
});

const CreateTokenPayload = builder.objectRef<CreatedToken>('CreateTokenPayload').implement({
  description: 'A frontend token.',
  fields: (t) => ({
    token: t.exposeString('token', {
      description: 'The token, for the header `Authorization: Bearer`.',
    }),
    tokenId: t.exposeID('tokenId', { description: 'The id of the token, for `revokeToken`.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the token expires.' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'The lifetime in seconds.' }),
  }),
});

builder.mutationField('createToken', (t) =>
  t.field({
    type: CreateTokenPayload,
    description:
      'Creates a frontend token, which gives access to one dataset. Requires an API key.',
    args: {
      input: t.arg({ type: CreateTokenInput, required: true, description: 'The token.' }),
    },
    resolve: (_, { input }, { useCases, call }) => useCases.createToken(call, withFilters(input)),
  }),
);

const RevokeTokenInput = builder.inputType('RevokeTokenInput', {
  description: 'The token to revoke.',
  fields: (t) => ({
    tokenId: t.id({ required: true, description: 'The id of the token, its claim `jti`.' }),
  }),
});

const RevokeTokenPayload = builder.objectRef<{ tokenId: string }>('RevokeTokenPayload').implement({
  description: 'The result of `revokeToken`.',
  fields: (t) => ({
    tokenId: t.exposeID('tokenId', { description: 'The id of the revoked token.' }),
  }),
});

builder.mutationField('revokeToken', (t) =>
  t.field({
    type: RevokeTokenPayload,
    description: `Revokes a frontend token. It is refused everywhere within ${PERIODS.credentialSeconds} seconds. Requires an API key.`,
    args: {
      input: t.arg({ type: RevokeTokenInput, required: true, description: 'The token.' }),
    },
    resolve: (_, { input }, { useCases, call }) => useCases.revokeToken(call, input),
  }),
);
