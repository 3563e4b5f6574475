import { expect } from 'vitest';
import type { ErrorCode } from '../../src/core/errors.ts';
import type { Faults } from './faults.ts';
import { type Act, afterSpending, embeddedByAnother, type Who, whileFailing } from './parity.ts';

/** An act that is refused: with the text of its row, unless another is given. */
type Refusal = [as: Who, act: Act, error?: string, facts?: Record<string, unknown>];

const docs = { datasetId: 'docs' };
const UNKNOWN = '00000000-0000-0000-0000-000000000000';
const question = 'What is the capital of Andorra?';
const list: Act = (face, me) => face.list(me, docs);
const namesNothing: Act = (face, me) => face.list(me, {});
const search: Act = (face, me) => face.search(me, { ...docs, question });
const upload =
  (content: string | Blob, name = 'x.txt'): Act =>
  (face, me) =>
    face.upload(me, { ...docs, files: { [name]: content } });
const PNG = new Blob([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')]);

/** Every code of the table of errors: what is refused with it on both faces, or why nothing can be. */
export function createRefusals(faults: Faults): Record<ErrorCode, Refusal[] | string> {
  return {
    MISSING_CREDENTIAL: [
      ['nobody', list],
      ['nobody', search],
      ['nobody', upload('Text.')],
      ['nobody', (face, me, { fileId }) => face.get(me, { ...docs, fileId })],
      ['nobody', (face, me, { fileId }) => face.remove(me, { ...docs, fileId })],
      ['nobody', (face, me) => face.purgeDataset(me, 'docs')],
      ['nobody', (face, me) => face.stream(me, { ...docs, question })],
    ],
    MISSING_API_KEY: [
      ['nobody', (face, me) => face.purgeCustomer(me)],
      ['token', (face, me) => face.purgeCustomer(me)],
      ['token', (face, me) => face.createToken(me, docs)],
    ],
    INVALID_CREDENTIAL: [
      ['bad key', list],
      ['bad key', upload('Text.')],
      ['bad key', (face, me) => face.purgeCustomer(me)],
    ],
    DATASET_REQUIRED: [
      ['key', (face, me) => face.purgeDataset(me, '')],
      ['token', (face, me) => face.purgeDataset(me, '')],
      ['key', (face, me) => face.upload(me, { files: { 'x.txt': 'Text.' } })],
      ['key', (face, me) => face.createToken(me, { datasetId: '' })],
    ],
    DATASET_REQUIRED_IN_QUERY: [
      ['key', namesNothing],
      ['key', (face, me) => face.get(me, { fileId: UNKNOWN })],
    ],
    DATASET_REQUIRED_IN_BODY: [['key', (face, me) => face.remove(me, { fileId: UNKNOWN })]],
    DATASET_AND_QUESTION_REQUIRED: [
      ['key', (face, me) => face.search(me, { question })],
      ['key', (face, me) => face.answer(me, { ...docs, question: ' \n' })],
      ['token', (face, me) => face.stream(me, { question: '' })],
    ],
    DATASET_MISMATCH_IN_QUERY: [
      ['token of another dataset', list],
      ['token of another dataset', (face, me, { fileId }) => face.get(me, { ...docs, fileId })],
    ],
    DATASET_MISMATCH_IN_PATH: [
      ['token of another dataset', (face, me) => face.remove(me, { ...docs, fileId: UNKNOWN })],
      ['token of another dataset', (face, me) => face.purgeDataset(me, 'docs')],
    ],
    DATASET_MISMATCH_IN_BODY: [['token of another dataset', upload('Text.')]],
    DATASET_MISMATCH_IN_REQUEST: [
      ['token of another dataset', search],
      ['token of another dataset', (face, me) => face.answer(me, { ...docs, question })],
      ['token of another dataset', (face, me) => face.stream(me, { ...docs, question })],
    ],
    INVALID_INPUT: [
      [
        'key',
        (face, me) => face.list(me, { datasetId: 'x'.repeat(101) }),
        'datasetId must be 1 to 100 characters long',
      ],
      [
        'key',
        (face, me) => face.list(me, { datasetId: 'a\0b' }),
        'datasetId must be readable text',
      ],
      [
        'key',
        (face, me) => face.page(me, { ...docs, limit: 0 }),
        'limit must be between 1 and 1000',
      ],
      [
        'key',
        (face, me) => face.page(me, { ...docs, cursor: 'walrus' }),
        'cursor is not one that a list has given',
      ],
      [
        'key',
        (face, me) => face.search(me, { ...docs, question, limit: 51 }),
        'limit must be between 1 and 50',
      ],
      [
        'key',
        (face, me) => face.answer(me, { ...docs, question: 'x'.repeat(32_001) }),
        'question must be at most 32000 characters long',
      ],
      [
        'key',
        (face, me) => face.search(me, { ...docs, question, filters: [{ key: 'a', value: [1] }] }),
        'match.value of a filter must be a string, a number or a boolean',
      ],
      [
        'key',
        (face, me) =>
          face.search(me, { ...docs, question, filters: Array(51).fill({ key: 'a', value: 1 }) }),
        'filters must be at most 50',
      ],
      [
        'key',
        (face, me) => face.createToken(me, { ...docs, ttlSeconds: 86_401 }),
        'ttlSeconds must be between 1 and 86400',
      ],
      ['key', (face, me) => face.upload(me, { ...docs, files: {} }), 'file is required'],
      [
        'key',
        (face, me) => face.upload(me, { ...docs, files: { 'a.txt': 'A.' }, chunkSize: 9 }),
        'chunkSize must be between 10 and 2000',
      ],
      [
        'key',
        (face, me) => face.upload(me, { ...docs, files: { 'a.txt': 'A.' }, metadata: { b: {} } }),
        'metadata names no file of this upload: b',
      ],
    ],
    INVALID_JSON: 'is about bodies, below',
    UNSUPPORTED_CONTENT_TYPE: 'is about bodies, below',
    BODY_TOO_LARGE: 'is about bodies, below',
    NOT_FOUND: 'is about addresses, and GraphQL has one',
    METHOD_NOT_ALLOWED: 'is about HTTP, where GraphQL has rules of its own',
    QUERY_TOO_DEEP: 'documents are of GraphQL alone: test/graphql/limits.test.ts',
    QUERY_TOO_COSTLY: 'documents are of GraphQL alone: test/graphql/limits.test.ts',
    ANSWER_TOO_LARGE: 'documents are of GraphQL alone: test/graphql/limits.test.ts',
    FILE_NOT_FOUND: [
      ['key', (face, me) => face.get(me, { ...docs, fileId: UNKNOWN })],
      ['key', (face, me) => face.get(me, { ...docs, fileId: 'no id at all' })],
      ['key', (face, me, { fileId }) => face.get(me, { datasetId: 'other', fileId })],
      ['key', (face, me) => face.remove(me, { ...docs, fileId: UNKNOWN })],
      ['token of another dataset', (face, me, { fileId }) => face.remove(me, { fileId })],
    ],
    FILE_TOO_LARGE: [['key', upload(new Blob([new Uint8Array(100 * 1024 ** 2 + 1)]))]],
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
    INSUFFICIENT_CREDITS: [
      [
        'key',
        afterSpending(faults, search),
        'INSUFFICIENT_CREDITS',
        { required: 0.1, available: 0 },
      ],
      [
        'key',
        afterSpending(faults, (face, me) =>
          face.upload(me, { ...docs, files: { 'a.txt': 'A.', 'b.txt': 'B.' } }),
        ),
        'INSUFFICIENT_CREDITS',
        { required: 1, available: 0 },
      ],
      [
        'token',
        afterSpending(faults, (face, me) => face.stream(me, { question })),
        'INSUFFICIENT_CREDITS',
        { required: 0.1, available: 0 },
      ],
    ],
    RATE_LIMITED: [
      [
        'key',
        async (face, me) => {
          for (let purge = 0; purge < 10; purge++) await face.purgeDataset(me, 'nowhere');
          return face.purgeCustomer(me);
        },
        'Rate limit exceeded',
        { retryAfterSeconds: expect.any(Number) },
      ],
    ],
    UNAVAILABLE: [
      [
        'key',
        whileFailing(faults, 'sql.query', list, 'ECONNREFUSED'),
        'Service unavailable',
        { retryAfterSeconds: expect.any(Number) },
      ],
      [
        'token',
        whileFailing(faults, 'index.search', (face, me) => face.answer(me, { question }), '57P03'),
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
        whileFailing(faults, 'embeddings.embedQuestion', (face, me) =>
          face.stream(me, { ...docs, question }),
        ),
      ],
    ],
    STREAM_FAILED: 'is the word of the REST stream for it; GraphQL has the code of the failure',
  };
}
