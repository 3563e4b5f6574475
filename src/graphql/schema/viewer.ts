import { RANGES } from '../../core/limits.ts';
import type { RateStatus } from '../../core/model.ts';
import type { RateWindowName } from '../../core/policy.ts';
import type { CreatedToken, Viewer } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { describeRange } from '../describe-range.ts';
import { idempotencyKeyField } from '../idempotency-key-field.ts';

const CredentialKind = builder.enumType('CredentialKind', {
  description: 'The kind of credential.',
  values: {
    API_KEY: {
      value: 'api-key',
      description: 'An API key: gives access to all datasets of the customer.',
    },
    TOKEN: { value: 'token', description: 'A frontend token: gives access to one dataset.' },
  } as const,
});

const RateLimitName = builder.enumType('RateLimitName', {
  description: 'A rate limit.',
  values: {
    LIST: { value: 'list', description: 'Lists of files and datasets.' },
    GET: { value: 'get', description: 'Single files.' },
    DELETE: { value: 'delete', description: 'Deletions of single files.' },
    BULK_DELETE: { value: 'bulkDelete', description: 'Purges.' },
    QUESTION: { value: 'question', description: 'Questions and searches.' },
    UPLOAD: { value: 'upload', description: 'Uploads.' },
    TOKEN: { value: 'token', description: 'Frontend tokens.' },
  } as const satisfies Record<string, { value: RateWindowName; description: string }>,
});

const RateLimitRef = builder
  .objectRef<RateStatus & { name: RateWindowName }>('RateLimit')
  .implement({
    description: 'A rate limit, counted per minute.',
    fields: (t) => ({
      name: t.expose('name', {
        type: RateLimitName,
        description: 'The name of the limit, which one or more operations share.',
      }),
      limit: t.exposeInt('limit', { description: 'Calls allowed per minute.' }),
      remaining: t.exposeInt('remaining', { description: 'Calls left in the current window.' }),
      resetSeconds: t.exposeInt('resetSeconds', { description: 'Seconds until the window ends.' }),
    }),
  });

export const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The caller.',
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The id of the customer.' }),
    customerName: t.exposeString('customerName', { description: 'The name of the customer.' }),
    credential: t.expose('credential', {
      type: CredentialKind,
      description: 'The kind of credential used for this request.',
    }),
    datasetId: t.exposeID('datasetId', {
      nullable: true,
      description: 'The dataset of a frontend token; null for an API key.',
    }),
    credits: t.expose('credits', {
      type: 'Decimal',
      nullable: true,
      description: 'The credits left; null when the customer is not metered.',
    }),
    rateLimits: t.field({
      type: [RateLimitRef],
      description: 'The rate limits of the customer.',
      resolve: ({ rateLimits }) => rateLimits(),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    nullable: true,
    description: 'The caller and the credits left.',
    resolve: (_, __, { viewer }) => viewer(),
  }),
);

const CreateTokenInput = builder.inputType('CreateTokenInput', {
  description: 'The scope and the lifetime of a frontend token.',
  fields: (t) => ({
    datasetId: t.id({ required: true, description: 'The dataset the token gives access to.' }),
    ttlSeconds: t.int({
      description: `The lifetime in seconds: ${describeRange(RANGES.tokenSeconds)}.`,
    }),
    idempotencyKey: idempotencyKeyField(t),
  }),
});

const CreateTokenPayload = builder.objectRef<CreatedToken>('CreateTokenPayload').implement({
  description: 'A frontend token.',
  fields: (t) => ({
    token: t.exposeString('token', {
      description: 'The token, for the header `Authorization: Bearer`.',
    }),
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
    resolve: (_, { input }, { useCases, call }) => useCases.createToken(call, input),
  }),
);
