import type { ErrorCode } from './errors.ts';

/** The rate windows, each shared by one or more operations: calls per minute and customer. */
export const RATE_WINDOWS = {
  list: 1000,
  get: 1000,
  delete: 100,
  bulkDelete: 10,
  question: 1000,
  upload: 100,
  token: 100,
} as const;

/** The default prices in credits, as exact decimals; settings override them. */
export const PRICES = {
  query: '0.1',
  search: '0.1',
  /** For each file. */
  upload: '1',
} as const;

export type RateWindowName = keyof typeof RATE_WINDOWS;
export type PriceName = keyof typeof PRICES;
export type Prices = Record<PriceName, string>;

/** What a frontend token can allow. A token that names none allows all of it. */
export const PERMISSIONS = ['READ', 'ASK', 'UPLOAD', 'DELETE'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Who may call an operation, and the error for a caller who may not. `authorize.ts` applies it. */
type Scope =
  /** Requires an API key: a token gives access to one dataset only. */
  | { scope: 'customer'; credential: ErrorCode }
  /** Requires a credential of either kind. */
  | { scope: 'anyone'; credential: ErrorCode; permission: Permission | null }
  /** Works on one dataset: the token's, or the one that the request names. */
  | {
      scope: 'dataset';
      credential: ErrorCode;
      /** What a token must allow; null for an operation that every token may call. */
      permission: Permission | null;
      missing: ErrorCode;
      mismatch: ErrorCode;
      /** Whether the request must name the dataset even when a token implies it. */
      mustName?: true;
    };

export type OperationPolicy = Scope & {
  window: RateWindowName | null;
  price: PriceName | null;
  /**
   * Whether a call with an idempotency key gets the same response again, without a second charge. The answer
   * must not change when it is serialized as JSON and parsed again.
   */
  repeatable?: true;
};

const inQuery = {
  scope: 'dataset',
  credential: 'MISSING_CREDENTIAL',
  permission: 'READ',
  missing: 'DATASET_REQUIRED_IN_QUERY',
  mismatch: 'DATASET_MISMATCH_IN_QUERY',
} as const;

const inQuestion = {
  scope: 'dataset',
  credential: 'MISSING_CREDENTIAL',
  permission: 'ASK',
  missing: 'DATASET_AND_QUESTION_REQUIRED',
  mismatch: 'DATASET_MISMATCH_IN_REQUEST',
} as const;

const upload = {
  scope: 'dataset',
  credential: 'MISSING_CREDENTIAL',
  permission: 'UPLOAD',
  missing: 'DATASET_REQUIRED',
  mismatch: 'DATASET_MISMATCH_IN_BODY',
  window: 'upload',
  price: 'upload',
  repeatable: true,
} as const;

/** Every operation: who may call it, what a token must allow, its rate window, and its price. */
export const POLICY = {
  listFiles: { ...inQuery, window: 'list', price: null },
  pageFiles: { ...inQuery, window: 'list', price: null },
  pageFilesOfDatasets: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: 'READ',
    window: 'list',
    price: null,
  },
  pageChunks: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: 'READ',
    window: 'list',
    price: null,
  },
  // For what another operation has found; that one is counted.
  findFiles: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: 'READ',
    window: null,
    price: null,
  },
  getFile: { ...inQuery, window: 'get', price: null },
  readFile: { ...inQuery, window: 'get', price: null },
  signFiles: { ...inQuery, window: null, price: null },
  listDatasets: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: 'READ',
    window: 'list',
    price: null,
  },
  // For what another operation has found; that one is counted.
  findDatasets: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: 'READ',
    window: null,
    price: null,
  },
  datasetChanged: { ...inQuery, window: 'list', price: null },
  describeViewer: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: null,
    window: null,
    price: null,
  },
  deleteFile: {
    scope: 'dataset',
    credential: 'MISSING_CREDENTIAL',
    permission: 'DELETE',
    missing: 'DATASET_REQUIRED_IN_BODY',
    mismatch: 'DATASET_MISMATCH_IN_PATH',
    window: 'delete',
    price: null,
  },
  purgeDataset: {
    scope: 'dataset',
    credential: 'MISSING_CREDENTIAL',
    permission: 'DELETE',
    missing: 'DATASET_REQUIRED',
    mismatch: 'DATASET_MISMATCH_IN_PATH',
    // An address without a dataset must not delete all of a token's files.
    mustName: true,
    window: 'bulkDelete',
    price: null,
  },
  purgeCustomer: {
    scope: 'customer',
    credential: 'MISSING_API_KEY',
    window: 'bulkDelete',
    price: null,
  },
  uploadFiles: upload,
  search: { ...inQuestion, window: 'question', price: 'search', repeatable: true },
  answerQuestion: { ...inQuestion, window: 'question', price: 'query', repeatable: true },
  createToken: {
    scope: 'customer',
    credential: 'MISSING_API_KEY',
    window: 'token',
    price: null,
    repeatable: true,
  },
  startUpload: upload,
  getIngestion: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    // A caller that may upload may see the result.
    permission: 'UPLOAD',
    window: 'get',
    price: null,
  },
  ingestionChanged: {
    scope: 'anyone',
    credential: 'MISSING_CREDENTIAL',
    permission: 'UPLOAD',
    window: 'list',
    price: null,
  },
  revokeToken: { scope: 'customer', credential: 'MISSING_API_KEY', window: 'token', price: null },
} as const satisfies Record<string, OperationPolicy>;

export type Operation = keyof typeof POLICY;
