import { PERIODS, RANGES } from '../../core/limits.ts';
import { requestSchemas } from '../../use-cases/index.ts';
import {
  DATASET_ID,
  type Description,
  integer,
  JSON_BODY_ERRORS,
  json,
  SUCCESS,
} from './describe.ts';
import * as examples from './examples.ts';
import { objectOf, ref } from './schemas.ts';

export const createToken: Description = {
  tag: 'Tokens',
  summary: 'Create a frontend token',
  description:
    'A token gives a browser access to one dataset for a limited time. Requires an API key: create tokens on your server.',
  parameters: [],
  body: {
    required: true,
    content: json(
      objectOf(
        {
          datasetId: { ...DATASET_ID, description: 'The dataset of the token.' },
          ttlSeconds: integer(RANGES.tokenSeconds, 'Seconds for which the token is valid.'),
          permissions: {
            ...requestSchemas().permissions,
            description: 'What the token allows; everything by default.',
          },
          filters: {
            ...ref('Filters'),
            description:
              'Only files whose metadata matches exist for the token. The filters apply to whole files, not to locations in them.',
          },
          maxCredits: {
            description:
              'The credit budget of the token: the most that can be charged with it, without refunded charges. Each charge is also taken from the credits of the customer, which alone limit a token without a budget.',
            anyOf: [
              { type: 'number', minimum: 0 },
              { type: 'string', pattern: String.raw`^\d{1,12}(\.\d{1,6})?$` },
            ],
          },
        },
        ['ttlSeconds', 'permissions', 'filters', 'maxCredits'],
      ),
      {
        ...{ datasetId: examples.DATASET_ID, ttlSeconds: 600 },
        ...{ permissions: ['READ', 'ASK'], maxCredits: '5' },
      },
    ),
  },
  response: {
    description: 'The token.',
    content: json(
      objectOf(
        {
          token: { type: 'string', description: 'A JWT, to be sent as the credential.' },
          expiresIn: { type: 'integer', description: 'Seconds until it expires.' },
          tokenId: {
            ...{ type: 'string', format: 'uuid' },
            description:
              'The claim `jti` of the token; only when the request has `permissions`, `filters` or `maxCredits`.',
          },
        },
        ['tokenId'],
      ),
      { token: examples.TOKEN, expiresIn: 600, tokenId: examples.TOKEN_ID },
    ),
  },
  errors: ['DATASET_REQUIRED', ...JSON_BODY_ERRORS],
};

export const revokeToken: Description = {
  tag: 'Tokens',
  summary: 'Revoke a frontend token',
  description: `Every gateway refuses the token within ${PERIODS.credentialSeconds} seconds. Requires an API key.`,
  parameters: [
    {
      name: 'tokenId',
      in: 'path',
      required: true,
      description: 'The claim `jti` of the token.',
      schema: { type: 'string', format: 'uuid' },
      example: examples.TOKEN_ID,
    },
  ],
  response: {
    description: 'The token is revoked.',
    content: json(objectOf({ success: SUCCESS }), { success: true }),
  },
  errors: [],
};
