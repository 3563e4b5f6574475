import type { RateStatus } from '../../core/model.ts';
import type { CreatedToken, Viewer } from '../../use-cases/index.ts';
import { builder } from '../builder.ts';

const CredentialKind = builder.enumType('CredentialKind', {
  description: 'What a caller shows.',
  values: {
    API_KEY: { value: 'api-key', description: 'Speaks for the whole customer.' },
    TOKEN: { value: 'token', description: 'Speaks for one dataset.' },
  } as const,
});

const RateLimitRef = builder.objectRef<RateStatus & { name: string }>('RateLimit').implement({
  description: 'How often operations may be called, counted by the minute.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What is counted together.' }),
    limit: t.exposeInt('limit', { description: 'Calls a minute.' }),
    remaining: t.exposeInt('remaining', { description: 'Calls left in this minute.' }),
    resetSeconds: t.exposeInt('resetSeconds', { description: 'Seconds until it counts anew.' }),
  }),
});

const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who is calling.',
  fields: (t) => ({
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customerName: t.exposeString('customerName', { description: "The customer's name." }),
    credential: t.expose('credential', { type: CredentialKind, description: 'What was shown.' }),
    datasetId: t.exposeID('datasetId', {
      nullable: true,
      description: 'The dataset of a frontend token.',
    }),
    credits: t.exposeString('credits', {
      nullable: true,
      description: 'What is left to spend, as an exact decimal; null when it is not metered.',
    }),
    rateLimits: t.field({
      type: [RateLimitRef],
      description: 'How often operations may be called.',
      resolve: ({ rateLimits }) => rateLimits(),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    description: 'Who is calling, and what is left to spend.',
    resolve: (_, __, { viewer }) => viewer(),
  }),
);

const CreateTokenInput = builder.inputType('CreateTokenInput', {
  description: 'What a frontend token may do, and for how long.',
  fields: (t) => ({
    datasetId: t.id({ required: true, description: 'The one dataset that it speaks for.' }),
    ttlSeconds: t.int({ description: 'How long it is valid, 1 to 86400; 3600 unless given.' }),
  }),
});

const CreateTokenPayload = builder.objectRef<CreatedToken>('CreateTokenPayload').implement({
  description: 'A frontend token.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'Goes into `Authorization: Bearer`.' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'How long it is valid, in seconds.' }),
  }),
});

builder.mutationField('createToken', (t) =>
  t.field({
    type: CreateTokenPayload,
    description: 'Makes a frontend token, which speaks for one dataset. API key only.',
    args: {
      input: t.arg({ type: CreateTokenInput, required: true, description: 'The token.' }),
    },
    resolve: (_, { input }, { useCases, call }) => useCases.createToken(call, input),
  }),
);
