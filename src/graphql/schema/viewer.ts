import type { RateStatus } from '../../core/model.ts';
import type { RateWindowName } from '../../core/policy.ts';
import type { TokenSummary, Viewer } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';
import { TokenPermission } from './token.ts';

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

const ViewerTokenRef = builder.objectRef<TokenSummary>('ViewerToken').implement({
  description: 'What a frontend token allows, and what is left of its credit budget.',
  fields: (t) => ({
    tokenId: t.exposeID('tokenId', { nullable: true, description: 'The id of the token.' }),
    permissions: t.expose('permissions', {
      type: [TokenPermission],
      description: 'What the token allows.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the token expires.' }),
    maxCredits: t.expose('maxCredits', {
      type: 'Decimal',
      nullable: true,
      description:
        'The credit budget with which the token was created; null when it has none, and only the credits of its customer limit it.',
    }),
    creditsLeft: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'What is left of the credit budget; null when the token has none. Each charge is taken from the budget and from the credits of the customer, and is refused when either is not enough.',
      resolve: ({ creditsLeft }) => creditsLeft(),
    }),
  }),
});

export const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The caller.',
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The id of the customer.' }),
    customerName: t.exposeString('customerName', {
      nullable: true,
      description: 'The name of the customer; null for a frontend token.',
    }),
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
      description:
        'The credits left; null when the customer is not metered, and for a frontend token.',
    }),
    token: t.expose('token', {
      type: ViewerTokenRef,
      nullable: true,
      description: 'What the frontend token may do; null for an API key.',
    }),
    rateLimits: t.field({
      type: [RateLimitRef],
      description: 'The rate limits of the customer, which its frontend tokens share.',
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
