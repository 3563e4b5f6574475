import { expect } from 'vitest';
import type { ErrorCode } from '../../src/core/errors.ts';
import type { Faults } from './faults.ts';
import {
  type Act,
  afterReaching,
  afterSpending,
  embeddedByAnother,
  type Who,
  whileFailing,
} from './parity.ts';

/** An act that is refused: with the text of its row, unless another is given. */
type Refusal = [as: Who, act: Act, error?: string, details?: Record<string, unknown>];

const docs = { datasetId: 'docs' };
const UNKNOWN = '00000000-0000-0000-0000-000000000000';
const question = 'What is the capital of Andorra?';
const list: Act = (transport, me) => transport.list(me, docs);
const namesNothing: Act = (transport, me) => transport.list(me, {});
const search: Act = (transport, me) => transport.search(me, { ...docs, question });
const answer: Act = (transport, me) => transport.answer(me, { ...docs, question });
const upload =
  (content: string | Blob, name = 'x.txt'): Act =>
  (transport, me) =>
    transport.upload(me, { ...docs, files: { [name]: content } });
const PNG = new Blob([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')]);

/** Every code of the table of errors: what is refused with it on both transports, or why nothing can be. */
export function createRefusals(faults: Faults): Record<ErrorCode, Refusal[] | string> {
  return {
    MISSING_CREDENTIAL: [
      ['nobody', list],
      ['nobody', search],
      ['nobody', upload('Text.')],
      ['nobody', (transport, me, { fileId }) => transport.get(me, { ...docs, fileId })],
      ['nobody', (transport, me, { fileId }) => transport.remove(me, { ...docs, fileId })],
      ['nobody', (transport, me) => transport.purgeDataset(me, 'docs')],
      ['nobody', (transport, me) => transport.stream(me, { ...docs, question })],
    ],
    MISSING_API_KEY: [
      ['nobody', (transport, me) => transport.purgeCustomer(me)],
      ['token', (transport, me) => transport.purgeCustomer(me)],
      ['token', (transport, me) => transport.createToken(me, docs)],
    ],
    INVALID_CREDENTIAL: [
      ['bad key', list],
      ['bad key', upload('Text.')],
      ['bad key', (transport, me) => transport.purgeCustomer(me)],
    ],
    TOKEN_EXPIRED: [
      ['expired token', list],
      ['expired token', upload('Text.')],
      ['expired token', (transport, me) => transport.stream(me, { question })],
    ],
    PERMISSION_DENIED: [
      ['token that reads', upload('Text.')],
      ['token that reads', search],
      ['token that reads', (transport, me) => transport.stream(me, { question })],
      ['token that reads', (transport, me) => transport.remove(me, { fileId: UNKNOWN })],
      ['token that reads', (transport, me) => transport.purgeDataset(me, 'docs')],
    ],
    DATASET_REQUIRED: [
      ['key', (transport, me) => transport.purgeDataset(me, '')],
      ['token', (transport, me) => transport.purgeDataset(me, '')],
      ['key', (transport, me) => transport.upload(me, { files: { 'x.txt': 'Text.' } })],
      ['key', (transport, me) => transport.createToken(me, { datasetId: '' })],
    ],
    DATASET_REQUIRED_IN_QUERY: [
      ['key', namesNothing],
      ['key', (transport, me) => transport.get(me, { fileId: UNKNOWN })],
    ],
    DATASET_REQUIRED_IN_BODY: [
      ['key', (transport, me) => transport.remove(me, { fileId: UNKNOWN })],
    ],
    DATASET_AND_QUESTION_REQUIRED: [
      ['key', (transport, me) => transport.search(me, { question })],
      ['key', (transport, me) => transport.answer(me, { ...docs, question: ' \n' })],
      ['token', (transport, me) => transport.stream(me, { question: '' })],
    ],
    DATASET_MISMATCH_IN_QUERY: [
      ['token of another dataset', list],
      [
        'token of another dataset',
        (transport, me, { fileId }) => transport.get(me, { ...docs, fileId }),
      ],
    ],
    DATASET_MISMATCH_IN_PATH: [
      [
        'token of another dataset',
        (transport, me) => transport.remove(me, { ...docs, fileId: UNKNOWN }),
      ],
      ['token of another dataset', (transport, me) => transport.purgeDataset(me, 'docs')],
    ],
    DATASET_MISMATCH_IN_BODY: [['token of another dataset', upload('Text.')]],
    DATASET_MISMATCH_IN_REQUEST: [
      ['token of another dataset', search],
      ['token of another dataset', (transport, me) => transport.answer(me, { ...docs, question })],
      ['token of another dataset', (transport, me) => transport.stream(me, { ...docs, question })],
    ],
    INVALID_INPUT: [
      [
        'key',
        (transport, me) => transport.list(me, { datasetId: 'x'.repeat(101) }),
        'datasetId must be 1 to 100 characters long',
      ],
      [
        'key',
        (transport, me) => transport.list(me, { datasetId: 'a\0b' }),
        'datasetId must be readable text',
      ],
      [
        'key',
        (transport, me) => transport.page(me, { ...docs, cursor: 'walrus' }),
        'cursor is not one that a list has given',
      ],
      [
        'key',
        (transport, me) => transport.search(me, { ...docs, question, limit: 51 }),
        'limit must be between 1 and 50',
      ],
      [
        'key',
        (transport, me) => transport.answer(me, { ...docs, question: 'x'.repeat(32_001) }),
        'question must be at most 32000 characters long',
      ],
      [
        'key',
        (transport, me) =>
          transport.search(me, {
            ...docs,
            question,
            filters: [{ key: 'a', match: { value: 'a\0b' } }],
          }),
        'match.value of a filter must be readable text',
      ],
      [
        'key',
        (transport, me) =>
          transport.search(me, {
            ...docs,
            question,
            filters: Array(51).fill({ key: 'a', match: { value: 1 } }),
          }),
        'filters must be at most 50',
      ],
      [
        'key',
        (transport, me) => transport.createToken(me, { ...docs, ttlSeconds: 86_401 }),
        'ttlSeconds must be between 1 and 86400',
      ],
      [
        'key',
        (transport, me) => transport.createToken(me, { ...docs, permissions: [] }),
        'permissions must be a list of at least one of READ, ASK, UPLOAD and DELETE',
      ],
      [
        'key',
        (transport, me) =>
          transport.createToken(me, {
            ...docs,
            filters: [{ must: [{ key: 'page', match: { value: 3 } }] }],
          }),
        'filters of a token are about whole files: page is not the same in all of one',
      ],
      [
        'key',
        (transport, me) =>
          transport.createToken(me, {
            ...docs,
            filters: [{ key: 'a', match: { value: 'x'.repeat(2048) } }],
          }),
        'filters of a token must be at most 2 kB',
      ],
      [
        'key',
        (transport, me) => transport.upload(me, { ...docs, files: {} }),
        'file or urls is required',
      ],
      [
        'key',
        (transport, me) =>
          transport.upload(me, { ...docs, files: { 'a.txt': 'A.' }, chunkSize: 9 }),
        'chunkSize must be between 10 and 2000',
      ],
      [
        'key',
        (transport, me) =>
          transport.upload(me, { ...docs, files: { 'a.txt': 'A.' }, metadata: { b: {} } }),
        'metadata names no file of this upload: b',
      ],
    ],
    INVALID_JSON: 'is about bodies, below',
    UNSUPPORTED_CONTENT_TYPE: 'is about bodies, below',
    BODY_TOO_LARGE: 'is about bodies, below',
    HEADERS_TOO_LARGE: 'is about the connection: test/http.test.ts',
    REQUEST_TIMEOUT: 'is about the connection: test/slow-clients.test.ts',
    NOT_FOUND: 'is about addresses, and GraphQL has one',
    ORIGIN_NOT_ALLOWED: 'is a rule of the Model Context Protocol: test/mcp/http.test.ts',
    INVALID_DOWNLOAD_LINK: 'is about the links of a disk storage, which both transports share',
    NOT_ACCEPTABLE: 'is about GraphQL over HTTP: test/graphql/requests.test.ts',
    METHOD_NOT_ALLOWED: 'is about HTTP, where GraphQL has rules of its own',
    QUERY_TOO_DEEP: 'documents are of GraphQL alone: test/graphql/limits.test.ts',
    QUERY_TOO_COSTLY: 'documents are of GraphQL alone: test/graphql/limits.test.ts',
    ANSWER_TOO_LARGE: 'documents are of GraphQL alone: test/graphql/limits.test.ts',
    PERSISTED_QUERY_NOT_SUPPORTED:
      'documents are of GraphQL alone: test/graphql/trusted-documents.test.ts',
    PERSISTED_QUERY_NOT_FOUND:
      'documents are of GraphQL alone: test/graphql/trusted-documents.test.ts',
    DOCUMENT_NOT_TRUSTED: 'documents are of GraphQL alone: test/graphql/trusted-documents.test.ts',
    FILE_NOT_FOUND: [
      ['key', (transport, me) => transport.get(me, { ...docs, fileId: UNKNOWN })],
      ['key', (transport, me) => transport.get(me, { ...docs, fileId: 'no id at all' })],
      ['key', (transport, me, { fileId }) => transport.get(me, { datasetId: 'other', fileId })],
      ['key', (transport, me) => transport.remove(me, { ...docs, fileId: UNKNOWN })],
      ['token of another dataset', (transport, me, { fileId }) => transport.remove(me, { fileId })],
    ],
    FILE_TOO_LARGE: [['key', upload(new Blob([new Uint8Array(100 * 1024 ** 2 + 1)]))]],
    URL_NOT_FETCHED: [
      [
        'key',
        (transport, me) =>
          transport.upload(me, {
            ...docs,
            files: {},
            urls: ['http://127.0.0.1:8080/x.txt?secret'],
          }),
        'http://127.0.0.1:8080/x.txt: it has no public address',
      ],
    ],
    URL_TOO_LARGE: 'needs a server: test/rest/upload-by-url.test.ts',
    RECORDING_TOO_LARGE: 'needs a transcriber: test/rest/recordings.test.ts',
    UNSUPPORTED_FILE_TYPE: [['key', upload(PNG, 'x.png'), expect.stringMatching(/^x\.png: /)]],
    UNREADABLE_FILE: [
      ['key', upload(''), 'x.txt: it is empty'],
      ['key', upload(' \n '), 'x.txt: no text was found in it'],
    ],
    EMBEDDING_MODEL_MISMATCH: [
      [
        'key',
        embeddedByAnother(faults, search),
        expect.stringContaining('was indexed with the embedding model another-model'),
      ],
      [
        'token',
        embeddedByAnother(faults, upload('Text.')),
        expect.stringContaining('was indexed with the embedding model another-model'),
      ],
    ],
    IDEMPOTENCY_KEY_REUSED: 'needs two requests: test/idempotency.test.ts',
    IDEMPOTENCY_KEY_IN_USE: 'needs two requests: test/idempotency.test.ts',
    IDEMPOTENT_ANSWER_NOT_KEPT: 'needs a large answer: test/idempotency.test.ts',
    INSUFFICIENT_CREDITS: [
      [
        'key',
        afterSpending(faults, search),
        'INSUFFICIENT_CREDITS',
        { required: 0.1, available: 0 },
      ],
      [
        'key',
        afterSpending(faults, answer),
        'INSUFFICIENT_CREDITS',
        { required: 0.1, available: 0 },
      ],
      [
        'key',
        afterSpending(faults, (transport, me) =>
          transport.upload(me, { ...docs, files: { 'a.txt': 'A.', 'b.txt': 'B.' } }),
        ),
        'INSUFFICIENT_CREDITS',
        { required: 1, available: 0 },
      ],
      [
        'token',
        afterSpending(faults, (transport, me) => transport.stream(me, { question })),
        'INSUFFICIENT_CREDITS',
        { required: 0.1, available: 0 },
      ],
    ],
    RATE_LIMITED: [
      [
        'key',
        async (transport, me) => {
          for (let purge = 0; purge < 10; purge++) await transport.purgeDataset(me, 'nowhere');
          return transport.purgeCustomer(me);
        },
        'Rate limit exceeded',
        { retryAfterSeconds: expect.any(Number) },
      ],
      [
        'key',
        afterReaching(faults, 'question', answer),
        'Rate limit exceeded',
        { retryAfterSeconds: expect.any(Number) },
      ],
      [
        'token',
        afterReaching(faults, 'get', (transport, me, { fileId }) => transport.get(me, { fileId })),
        'Rate limit exceeded',
        { retryAfterSeconds: expect.any(Number) },
      ],
    ],
    INGESTION_NOT_FOUND: 'only GraphQL has asynchronous uploads: test/graphql/ingestions',
    TOO_MANY_INGESTIONS: 'only GraphQL has asynchronous uploads: test/graphql/ingestions',
    TOO_MANY_SUBSCRIPTIONS:
      'only GraphQL has subscriptions to changes: test/graphql/dataset-changes',
    UNAVAILABLE: [
      [
        'key',
        whileFailing(faults, 'sql.query', list, 'ECONNREFUSED'),
        'Service unavailable',
        { retryAfterSeconds: expect.any(Number) },
      ],
      [
        'token',
        whileFailing(
          faults,
          'index.search',
          (transport, me) => transport.answer(me, { question }),
          '57P03',
        ),
        'Service unavailable',
        { retryAfterSeconds: expect.any(Number) },
      ],
      [
        'key',
        whileFailing(faults, 'index.add', upload('The disk of the database is full.'), '53100'),
        'Service unavailable',
        { retryAfterSeconds: expect.any(Number) },
      ],
    ],
    INTERNAL: [
      ['key', whileFailing(faults, 'index.search', search)],
      ['key', whileFailing(faults, 'sql.query', list)],
      ['key', whileFailing(faults, 'storage.put', upload('Text.'))],
      [
        'key',
        whileFailing(faults, 'embeddings.embedQuestion', (transport, me) =>
          transport.stream(me, { ...docs, question }),
        ),
      ],
    ],
    STREAM_FAILED: 'is the word of the REST stream for it; GraphQL has the code of the failure',
  };
}
