import { CALLER_ERRORS } from './caller-errors.ts';
import type { ErrorRow } from './error-row.ts';

/** Every error that a client can see, by its code. */
export const ERRORS = {
  ...CALLER_ERRORS,

  INVALID_INPUT: {
    description: 'The input is invalid; the message says why.',
    status: 400,
    text: ({ reason }: { reason: string; param?: string }) => reason,
  },
  INVALID_JSON: {
    description: 'The body is not a JSON object.',
    status: 400,
    text: 'Invalid JSON body',
  },
  ORIGIN_NOT_ALLOWED: {
    description: 'MCP only: the request is from a web page that may not call the gateway.',
    status: 403,
    text: ({ reason }: { reason: string }) => reason,
  },
  NOT_FOUND: {
    description: 'REST and OpenAI only: there is no such path, or no such model.',
    status: 404,
    text: 'Not found',
  },
  METHOD_NOT_ALLOWED: {
    description: 'REST, OpenAI and MCP only: the path does not support this method.',
    status: 405,
    text: 'Method not allowed',
  },
  NOT_ACCEPTABLE: {
    description: 'GraphQL only: the header Accept allows no type that the response can have.',
    status: 406,
    text: ({ expected }: { expected: string }) => `Accept must allow ${expected}`,
  },
  REQUEST_TIMEOUT: {
    description: 'The request arrived too slowly.',
    status: 408,
    text: 'Request timeout',
  },
  BODY_TOO_LARGE: {
    description: 'The body is too large.',
    status: 413,
    text: 'Request body too large',
  },
  HEADERS_TOO_LARGE: {
    description: 'The URL and the headers of the request are too large.',
    status: 431,
    text: 'Request headers too large',
  },
  UNSUPPORTED_CONTENT_TYPE: {
    description: 'The body has a content type that the operation does not accept.',
    status: 415,
    text: ({ expected }: { expected: string }) => `Content-Type must be ${expected}`,
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    description:
      'GraphQL only: the request names a document, but the gateway has no trusted documents.',
    status: 400,
    // Clients look for this text.
    text: 'PersistedQueryNotSupported',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    description: 'GraphQL only: the request names a document that the gateway does not have.',
    status: 400,
    // Clients look for this text.
    text: 'PersistedQueryNotFound',
  },
  DOCUMENT_NOT_TRUSTED: {
    description: 'GraphQL only: the gateway accepts only trusted documents.',
    status: 403,
    text: 'Only trusted documents are answered',
  },
  QUERY_TOO_DEEP: {
    description: 'GraphQL only: the document is nested too deeply.',
    status: 400,
    text: ({ limit }: { depth: number; limit: number }) =>
      `The query is too deep: at most ${limit} levels are answered`,
  },
  QUERY_TOO_COSTLY: {
    description: 'GraphQL only: the operation asks for too many values.',
    status: 400,
    text: ({ cost, limit }: { cost: number; limit: number }) =>
      `The query asks for up to ${cost} values: at most ${limit} are answered at once`,
  },
  ANSWER_TOO_LARGE: {
    description: 'GraphQL only: the response would be too large.',
    status: 400,
    text: ({ limitBytes }: { limitBytes: number }) =>
      `The answer is larger than ${limitBytes} bytes: ask for less at once`,
  },
  INVALID_DOWNLOAD_LINK: {
    description: 'REST only: the download link is invalid, or its file was deleted.',
    status: 403,
    text: 'Invalid or expired download link',
  },
  FILE_NOT_FOUND: {
    description: 'The file does not exist, or is not visible to you.',
    status: 404,
    text: 'File not found',
  },
  FILE_TOO_LARGE: { description: 'A file is too large.', status: 413, text: 'FILE_TOO_LARGE' },
  RECORDING_TOO_LARGE: {
    description: 'A recording is too large to be transcribed.',
    status: 413,
    text: reasonOfFile,
  },
  URL_NOT_FETCHED: {
    description: 'A file cannot be fetched from its URL; the message says why.',
    status: 422,
    text: reasonOfUrl,
  },
  URL_TOO_LARGE: {
    description: 'The file at a URL is too large.',
    status: 413,
    text: reasonOfUrl,
  },
  UNSUPPORTED_FILE_TYPE: {
    description: 'A file has a type that cannot be read.',
    status: 415,
    text: reasonOfFile,
  },
  UNREADABLE_FILE: {
    description: 'A file is broken, protected or empty.',
    status: 422,
    text: reasonOfFile,
  },
  EMBEDDING_MODEL_MISMATCH: {
    description: 'The dataset was indexed with another embedding model: it must be reindexed.',
    status: 409,
    text: ({ indexed, configured }: { indexed: string; configured: string }) =>
      `The dataset was indexed with the embedding model ${indexed}; this gateway uses ${configured}`,
  },
  UNAVAILABLE: {
    description: 'The database or the storage cannot be reached; see `retryAfterSeconds`.',
    status: 503,
    text: (_: { retryAfterSeconds: number }) => 'Service unavailable',
  },
  INTERNAL: {
    description: 'An error of the gateway, which is logged with the `requestId`.',
    status: 500,
    text: 'Internal error',
  },
  STREAM_FAILED: {
    description: 'REST only: a stream failed after it began.',
    status: 500,
    text: 'Streaming error on server',
  },
} as const satisfies Record<string, ErrorRow>;

function reasonOfUrl({ url, reason }: { url: string; reason: string }): string {
  return `${url}: ${reason}`;
}

function reasonOfFile({ file, reason }: { file: string; reason: string }): string {
  return `${file}: ${reason}`;
}
