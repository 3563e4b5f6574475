import { z } from 'zod';
import { PRICES } from '../../core/policy.ts';
import { type Settings, wholeNumber } from './setting.ts';

const price = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number of credits, such as 0.1');

/** The most that one request may ask for, and what it costs. */
export const LIMIT_SETTINGS = {
  BODY_TIMEOUT: {
    purpose: "seconds in which the next 30 kB of a request's body must come, or its end",
    schema: wholeNumber('30', 1, 3600),
  },
  UPLOADS_AT_ONCE: {
    purpose: 'uploads of one customer that are received at once; further ones wait',
    schema: wholeNumber('8', 1, 1000),
  },
  GRAPHQL_MAX_DEPTH: {
    purpose: 'levels of fields that a GraphQL operation may have',
    schema: wholeNumber('20', 1, 100),
  },
  GRAPHQL_MAX_COST: {
    purpose:
      'values that a GraphQL operation may ask for; a field that reads or does something is 100',
    schema: wholeNumber('50000', 1, 10_000_000),
  },
  GRAPHQL_MAX_ANSWER: {
    purpose: 'megabytes that the answer of a GraphQL operation may have',
    schema: wholeNumber('32', 1, 400),
  },
  PRICE_QUERY: { purpose: 'credits for an answer', schema: price.default(PRICES.query) },
  PRICE_SEARCH: { purpose: 'credits for a search', schema: price.default(PRICES.search) },
  PRICE_UPLOAD: { purpose: 'credits for an uploaded file', schema: price.default(PRICES.upload) },
} as const satisfies Settings;
