import { z } from 'zod';
import { PRICES } from '../../core/policy.ts';
import { type Settings, text, wholeNumber, yesOrNo } from './setting.ts';

const price = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number of credits, such as 0.1');

/** Limits for requests, and their prices. */
export const LIMIT_SETTINGS = {
  BODY_TIMEOUT: {
    purpose:
      "seconds in which the next 30 kB of a request's body, or of a file that is fetched by URL, or its end must arrive",
    schema: wholeNumber('30', 1, 3600),
  },
  UPLOADS_AT_ONCE: {
    purpose: 'concurrent uploads per customer; more have to wait',
    schema: wholeNumber('8', 1, 1000),
  },
  UPLOAD_URLS: {
    purpose: 'whether clients may upload files by URL, which the gateway fetches: true or false',
    schema: yesOrNo('true'),
  },
  UPLOAD_URLS_ALLOWED: {
    purpose:
      'host names, IP addresses and networks such as 10.1.0.0/16, separated by commas, that files may be fetched from although they are not public',
    schema: text,
  },
  LIBREOFFICE_PATH: {
    purpose:
      'path of soffice of LibreOffice, which converts .doc and .ppt, or none; if not set, the first one in PATH, if there is one',
    schema: text,
  },
  INGESTIONS_AT_ONCE: {
    purpose: 'asynchronous uploads that a gateway works on concurrently; more have to wait',
    schema: wholeNumber('2', 1, 100),
  },
  GRAPHQL_MAX_DEPTH: {
    purpose: 'maximum nesting of fields in a GraphQL operation',
    schema: wholeNumber('20', 1, 100),
  },
  GRAPHQL_MAX_COST: {
    purpose:
      'maximum cost of a GraphQL operation: 1 for each value it may return, 100 for each field that reads or writes data',
    schema: wholeNumber('50000', 1, 10_000_000),
  },
  GRAPHQL_MAX_ANSWER: {
    purpose: 'maximum size of the response to a GraphQL operation, in megabytes',
    schema: wholeNumber('32', 1, 400),
  },
  TRUSTED_DOCUMENTS: {
    purpose:
      'JSON file with GraphQL documents by their hashes, which requests can send instead of the documents',
    schema: text,
  },
  TRUSTED_DOCUMENTS_ONLY: {
    purpose: 'whether GraphQL answers these documents alone: true or false',
    schema: yesOrNo('false'),
  },
  PRICE_QUERY: {
    purpose: 'credits for each answered question',
    schema: price.default(PRICES.query),
  },
  PRICE_SEARCH: { purpose: 'credits for each search', schema: price.default(PRICES.search) },
  PRICE_UPLOAD: { purpose: 'credits for each uploaded file', schema: price.default(PRICES.upload) },
} as const satisfies Settings;
