import { AppError, type ErrorCode } from './errors.ts';
import type { Principal } from './model.ts';

/** What is counted together, and how often a minute, per customer. */
export const RATE_WINDOWS = {
  list: 1000,
  get: 1000,
  delete: 100,
  bulkDelete: 10,
  question: 1000,
  upload: 100,
  token: 100,
} as const;

/** What is paid for, in credits: the default prices, as exact decimals. */
export const PRICES = {
  query: '0.1',
  search: '0.1',
  /** A file. */
  upload: '1',
} as const;

export type RateWindowName = keyof typeof RATE_WINDOWS;
export type PriceName = keyof typeof PRICES;
export type Prices = Record<PriceName, string>;

/** Who may call an operation, and what a client is told that may not. */
type Scope =
  /** Needs an API key: a token speaks for one dataset only. */
  | { scope: 'customer'; credential: ErrorCode }
  /** Needs any credential, and nothing of a dataset. */
  | { scope: 'anyone'; credential: ErrorCode }
  /** Works on one dataset: the token's, or the one that the request names. */
  | { scope: 'dataset'; credential: ErrorCode; missing: ErrorCode; mismatch: ErrorCode };

export type OperationPolicy = Scope & { window: RateWindowName | null; price: PriceName | null };

const inQuery = {
  scope: 'dataset',
  credential: 'MISSING_CREDENTIAL',
  missing: 'DATASET_REQUIRED_IN_QUERY',
  mismatch: 'DATASET_MISMATCH_IN_QUERY',
} as const;

const inQuestion = {
  scope: 'dataset',
  credential: 'MISSING_CREDENTIAL',
  missing: 'DATASET_AND_QUESTION_REQUIRED',
  mismatch: 'DATASET_MISMATCH_IN_REQUEST',
} as const;

/** Every operation: who may call it, how often, and at what price. */
export const POLICY = {
  listFiles: { ...inQuery, window: 'list', price: null },
  pageFiles: { ...inQuery, window: 'list', price: null },
  getFile: { ...inQuery, window: 'get', price: null },
  signFiles: { ...inQuery, window: null, price: null },
  listDatasets: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    window: 'list',
    price: null,
  },
  describeViewer: { scope: 'anyone', credential: 'MISSING_CREDENTIAL', window: null, price: null },
  deleteFile: {
    scope: 'dataset',
    credential: 'MISSING_CREDENTIAL',
    missing: 'DATASET_REQUIRED_IN_BODY',
    mismatch: 'DATASET_MISMATCH_IN_PATH',
    window: 'delete',
    price: null,
  },
  purgeDataset: {
    scope: 'dataset',
    credential: 'MISSING_CREDENTIAL',
    missing: 'DATASET_REQUIRED',
    mismatch: 'DATASET_MISMATCH_IN_PATH',
    window: 'bulkDelete',
    price: null,
  },
  purgeCustomer: {
    scope: 'customer',
    credential: 'MISSING_API_KEY',
    window: 'bulkDelete',
    price: null,
  },
  uploadFiles: {
    scope: 'dataset',
    credential: 'MISSING_CREDENTIAL',
    missing: 'DATASET_REQUIRED',
    mismatch: 'DATASET_MISMATCH_IN_BODY',
    window: 'upload',
    price: 'upload',
  },
  search: { ...inQuestion, window: 'question', price: 'search' },
  answerQuestion: { ...inQuestion, window: 'question', price: 'query' },
  createToken: { scope: 'customer', credential: 'MISSING_API_KEY', window: 'token', price: null },
} as const satisfies Record<string, OperationPolicy>;

export type Operation = keyof typeof POLICY;

/**
 * Who may call an operation.
 *
 * @throws AppError of the operation, for a caller without a credential or with too small a one
 */
export function requirePrincipal(
  operation: Operation,
  principal: Principal | undefined,
): Principal {
  const { scope, credential } = POLICY[operation];
  if (!principal || (scope === 'customer' && principal.kind !== 'api-key')) {
    throw new AppError(credential);
  }
  return principal;
}
