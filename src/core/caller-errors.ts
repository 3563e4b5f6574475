import type { ErrorRow } from './error-row.ts';

/** The part of the error table about credentials, rate limits and credits. */
export const CALLER_ERRORS = {
  MISSING_CREDENTIAL: {
    description: 'There is no API key or token.',
    status: 401,
    text: 'Missing API key or token',
  },
  MISSING_API_KEY: {
    description: 'There is no API key, and a frontend token is not enough.',
    status: 401,
    text: 'Missing API key',
  },
  INVALID_CREDENTIAL: {
    description: 'The API key or token is unknown, malformed or revoked.',
    status: 401,
    text: 'Invalid API key or token',
  },
  PERMISSION_DENIED: {
    description: 'The frontend token does not allow the operation.',
    status: 403,
    text: 'Permission denied',
  },
  TOKEN_EXPIRED: {
    description: 'The frontend token has expired: get a new one.',
    status: 401,
    text: 'Invalid API key or token',
  },
  DATASET_REQUIRED: {
    description: 'The request names no dataset.',
    status: 400,
    text: 'datasetId is required',
  },
  DATASET_REQUIRED_IN_QUERY: {
    description: 'A request for a list or a file names no dataset.',
    status: 400,
    text: 'datasetId is required via token or query parameter',
  },
  DATASET_REQUIRED_IN_BODY: {
    description: 'A deletion of a file names no dataset.',
    status: 400,
    text: 'datasetId is required via token, body or query',
  },
  DATASET_AND_QUESTION_REQUIRED: {
    description: 'A question or a search has no dataset or no question.',
    status: 400,
    text: 'datasetId and question are required',
  },
  DATASET_MISMATCH_IN_QUERY: {
    description: 'A request for a list or a file names another dataset than that of the token.',
    status: 403,
    text: 'datasetId mismatch between token and query',
  },
  DATASET_MISMATCH_IN_PATH: {
    description: 'A deletion names another dataset than that of the token.',
    status: 403,
    text: 'datasetId mismatch between token and path',
  },
  DATASET_MISMATCH_IN_BODY: {
    description: 'An upload names another dataset than that of the token.',
    status: 403,
    text: 'datasetId mismatch between token and body',
  },
  DATASET_MISMATCH_IN_REQUEST: {
    description: 'A question or a search names another dataset than that of the token.',
    status: 400,
    text: 'datasetId mismatch between token and request',
  },
  IDEMPOTENCY_KEY_REUSED: {
    description: 'The idempotency key belongs to another request.',
    status: 409,
    text: 'This idempotency key belongs to another request: use a new key for a new request',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    description: 'The first request with the idempotency key is still running.',
    status: 409,
    text: (_: { retryAfterSeconds: number }) =>
      'The first request with this idempotency key is still running: repeat it later',
  },
  IDEMPOTENT_ANSWER_NOT_KEPT: {
    description: 'The request with the idempotency key succeeded, but its response was not kept.',
    status: 409,
    text: 'The request with this idempotency key has succeeded, but its answer is not kept',
  },
  INSUFFICIENT_CREDITS: {
    description: 'There are not enough credits; see `required` and `available`.',
    status: 402,
    text: (_: { required: number; available: number }) => 'INSUFFICIENT_CREDITS',
  },
  RATE_LIMITED: {
    description: 'Too many requests per minute; see `retryAfterSeconds`.',
    status: 429,
    text: (_: { retryAfterSeconds: number }) => 'Rate limit exceeded',
  },
  INGESTION_NOT_FOUND: {
    description: 'There is no such ingestion, or you have no access to it.',
    status: 404,
    text: 'Ingestion not found',
  },
  TOO_MANY_INGESTIONS: {
    description: 'Too many asynchronous uploads of the customer are open.',
    status: 429,
    text: ({ limit }: { limit: number }) =>
      `At most ${limit} asynchronous uploads may be open at once`,
  },
  TOO_MANY_SUBSCRIPTIONS: {
    description: 'Too many subscriptions of the customer are open.',
    status: 429,
    text: ({ limit }: { limit: number }) =>
      `At most ${limit} subscriptions to changes may be open at once`,
  },
} as const satisfies Record<string, ErrorRow>;
