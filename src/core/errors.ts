/**
 * Every error that a client can see: a code with its HTTP status and its text. A text that needs
 * details is a function of them; the details are part of the public error.
 */
export const ERRORS = {
  MISSING_CREDENTIAL: { status: 401, text: 'Missing API key or token' },
  MISSING_API_KEY: { status: 401, text: 'Missing API key' },
  INVALID_CREDENTIAL: { status: 401, text: 'Invalid API key or token' },

  DATASET_REQUIRED: { status: 400, text: 'datasetId is required' },
  DATASET_REQUIRED_IN_QUERY: {
    status: 400,
    text: 'datasetId is required via token or query parameter',
  },
  DATASET_REQUIRED_IN_BODY: {
    status: 400,
    text: 'datasetId is required via token, body or query',
  },
  DATASET_AND_QUESTION_REQUIRED: { status: 400, text: 'datasetId and question are required' },
  DATASET_MISMATCH_IN_QUERY: { status: 403, text: 'datasetId mismatch between token and query' },
  DATASET_MISMATCH_IN_PATH: { status: 403, text: 'datasetId mismatch between token and path' },
  DATASET_MISMATCH_IN_BODY: { status: 403, text: 'datasetId mismatch between token and body' },
  DATASET_MISMATCH_IN_REQUEST: {
    status: 400,
    text: 'datasetId mismatch between token and request',
  },

  INVALID_INPUT: { status: 400, text: ({ reason }: { reason: string }) => reason },
  INVALID_JSON: { status: 400, text: 'Invalid JSON body' },
  NOT_FOUND: { status: 404, text: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, text: 'Method not allowed' },
  BODY_TOO_LARGE: { status: 413, text: 'Request body too large' },
  UNSUPPORTED_CONTENT_TYPE: {
    status: 415,
    text: ({ expected }: { expected: string }) => `Content-Type must be ${expected}`,
  },

  QUERY_TOO_DEEP: {
    status: 400,
    text: ({ limit }: { depth: number; limit: number }) =>
      `The query is too deep: at most ${limit} levels are answered`,
  },
  QUERY_TOO_COSTLY: {
    status: 400,
    text: ({ cost, limit }: { cost: number; limit: number }) =>
      `The query asks for up to ${cost} values: at most ${limit} are answered at once`,
  },
  ANSWER_TOO_LARGE: {
    status: 400,
    text: ({ limitBytes }: { limitBytes: number }) =>
      `The answer is larger than ${limitBytes} bytes: ask for less at once`,
  },

  INVALID_DOWNLOAD_LINK: { status: 403, text: 'Invalid or expired download link' },
  FILE_NOT_FOUND: { status: 404, text: 'File not found' },
  FILE_TOO_LARGE: { status: 413, text: 'FILE_TOO_LARGE' },
  RECORDING_TOO_LARGE: {
    status: 413,
    text: reasonOfFile,
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 415,
    text: reasonOfFile,
  },
  UNREADABLE_FILE: {
    status: 422,
    text: reasonOfFile,
  },
  EMBEDDING_MODEL_MISMATCH: {
    status: 409,
    text: ({ indexed, configured }: { indexed: string; configured: string }) =>
      `The dataset was indexed with the embedding model ${indexed}; this gateway uses ${configured}`,
  },

  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    text: 'This idempotency key belongs to another request: use a new key for a new request',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    text: (_: { retryAfterSeconds: number }) =>
      'The first request with this idempotency key is still running: repeat it later',
  },
  IDEMPOTENT_ANSWER_NOT_KEPT: {
    status: 409,
    text: 'The request with this idempotency key has succeeded, but its answer is not kept',
  },

  INSUFFICIENT_CREDITS: {
    status: 402,
    text: (_: { required: number; available: number }) => 'INSUFFICIENT_CREDITS',
  },
  RATE_LIMITED: {
    status: 429,
    text: (_: { retryAfterSeconds: number }) => 'Rate limit exceeded',
  },
  TOO_MANY_SUBSCRIPTIONS: {
    status: 429,
    text: ({ limit }: { limit: number }) =>
      `At most ${limit} subscriptions to changes may be open at once`,
  },

  UNAVAILABLE: {
    status: 503,
    text: (_: { retryAfterSeconds: number }) => 'Service unavailable',
  },
  INTERNAL: { status: 500, text: 'Internal error' },
  STREAM_FAILED: { status: 500, text: 'Streaming error on server' },
} as const satisfies Record<string, ErrorRow>;

function reasonOfFile({ file, reason }: { file: string; reason: string }): string {
  return `${file}: ${reason}`;
}

interface ErrorRow {
  status: number;
  text: string | ((details: never) => string);
}

export type ErrorCode = keyof typeof ERRORS;

type TextOf<C extends ErrorCode> = (typeof ERRORS)[C]['text'];
/** The details that the text of a code needs; none for a fixed text. */
export type DetailsOf<C extends ErrorCode> =
  TextOf<C> extends (details: infer F) => string ? [details: F] : [];

/** A failure that clients see, with the status and the text of its code. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: C, ...[details]: DetailsOf<C>) {
    const { text } = ERRORS[code] as ErrorRow;
    super(typeof text === 'string' ? text : text(details as never));
    this.name = 'AppError';
    this.code = code;
    this.details = (details as Record<string, string | number> | undefined) ?? {};
  }
}

/** The database or the storage is away: the client may try again after a few seconds. */
export function unavailable(): AppError {
  return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
}

/** @throws AppError INVALID_INPUT with this reason */
export function invalidInput(reason: string): never {
  throw new AppError('INVALID_INPUT', { reason });
}

/** An error as a client sees it. */
export interface PublicError {
  code: ErrorCode;
  status: number;
  text: string;
  details: Readonly<Record<string, string | number>>;
}

/** Anything that is not an `AppError` is masked as `INTERNAL`; the caller must log it. */
export function toPublicError(error: unknown): PublicError {
  const known: AppError = error instanceof AppError ? error : new AppError('INTERNAL');
  const { code, message, details } = known;
  return { code, status: ERRORS[code].status, text: message, details };
}

/** A failure that the operator can fix, such as a wrong setting; the message is one line that says how. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
