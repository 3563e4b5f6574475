import { URL_EXPIRY } from '../../core/limits.ts';
import type { JsonObject } from '../../core/model.ts';
import { objectPath } from '../../core/object-path.ts';

/* The data that the examples of the document share: one file, and a question that it answers. */

export const DATASET_ID = 'docs';

const NAMES = {
  customerId: 'demo',
  datasetId: DATASET_ID,
  fileId: '7d4a1c1e-3f5b-4a1e-9c50-2b8f5a6d9e10',
  originalName: 'handbook.md',
};

export const FILE = {
  customerId: NAMES.customerId,
  datasetId: NAMES.datasetId,
  fileId: NAMES.fileId,
  filePath: objectPath(NAMES),
  originalName: NAMES.originalName,
  mimeType: 'text/markdown',
  size: 18_342,
  loaderId: '1f70766497d69aea',
  created: '2026-11-22T09:30:00.000Z',
  extension: '.md',
  transcriptionText: null,
  transcriptionSrt: null,
  extraMeta: { category: 'guide', year: 2026 },
};

export const LINKED_FILE = {
  ...FILE,
  permanentUrl: `http://127.0.0.1:4000/storage/${FILE.filePath}?name=${FILE.originalName}&expires=${URL_EXPIRY}&signature=...`,
};

export const QUESTION = 'How long is the battery covered?';

export const FILTERS: JsonObject[] = [
  { key: 'category', match: { value: 'guide' } },
  { key: 'year', range: { gte: 2025 } },
];

export const HIT = {
  score: 0.83,
  pageContent: 'The warranty of the battery is two years.',
  metadata: {
    fileId: FILE.fileId,
    originalName: FILE.originalName,
    customerId: FILE.customerId,
    datasetId: DATASET_ID,
    mimeType: FILE.mimeType,
    heading: 'Warranty',
    line: 41,
    lineEnd: 44,
    ...FILE.extraMeta,
  },
};

export const SOURCE = { pageContent: HIT.pageContent, metadata: HIT.metadata };

export const ANSWER = 'The battery is covered for two years.';

export const METADATA = { [FILE.originalName]: FILE.extraMeta };

export const TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...';

export const TOKEN_ID = '5f0d2c8b-90be-4c3e-8a4f-7a5b1c2d3e4f';
