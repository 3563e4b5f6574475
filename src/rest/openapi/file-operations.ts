import { RANGES } from '../../core/limits.ts';
import {
  DATASET_ID,
  type Description,
  FILE_ID,
  IN_QUERY,
  integer,
  JSON_BODY_ERRORS,
  json,
  SUCCESS,
} from './describe.ts';
import * as examples from './examples.ts';
import { objectOf, ref } from './schemas.ts';

const { description: pageSize, ...pageRange } = integer(RANGES.pageSize, 'Files in a page.');

export const listFiles: Description = {
  tag: 'Files',
  summary: 'List the files of a dataset',
  description:
    'All files, newest first. With `limit` or `cursor`, a page of them: `nextCursor` is the cursor of the next page, and null on the last one.',
  parameters: [
    IN_QUERY.datasetId,
    { name: 'limit', in: 'query', description: pageSize ?? null, schema: pageRange },
    IN_QUERY.cursor,
  ],
  response: {
    description: 'The files.',
    content: json(
      objectOf(
        {
          success: SUCCESS,
          files: { type: 'array', items: ref('File') },
          nextCursor: {
            type: ['string', 'null'],
            description: 'Only when the request has `limit` or `cursor`.',
          },
        },
        ['nextCursor'],
      ),
      { success: true, files: [examples.FILE], nextCursor: null },
    ),
  },
  errors: [],
};

export const getFile: Description = {
  tag: 'Files',
  summary: 'Read a file',
  description: 'A file, with a download link.',
  parameters: [FILE_ID, IN_QUERY.datasetId],
  response: {
    description: 'The file.',
    content: json(objectOf({ success: SUCCESS, file: ref('LinkedFile') }), {
      success: true,
      file: examples.LINKED_FILE,
    }),
  },
  errors: ['FILE_NOT_FOUND'],
};

export const deleteFile: Description = {
  tag: 'Files',
  summary: 'Delete a file',
  description:
    'Deletes the embeddings, the stored copy and the record of a file. The dataset may be in the URL or in the body; a client that cannot send a body with DELETE puts it in the URL.',
  parameters: [FILE_ID, IN_QUERY.datasetId],
  body: {
    required: false,
    content: json(objectOf({ datasetId: DATASET_ID }, ['datasetId']), {
      datasetId: examples.DATASET_ID,
    }),
  },
  response: {
    description: 'The file is gone.',
    content: json(objectOf({ success: SUCCESS }), { success: true }),
  },
  errors: ['FILE_NOT_FOUND', ...JSON_BODY_ERRORS.filter((code) => !/CONTENT_TYPE/.test(code))],
};

const PURGED = {
  description: 'The number of files that were deleted.',
  content: json(objectOf({ success: SUCCESS, deleted: { type: 'integer', minimum: 0 } }), {
    success: true,
    deleted: 3,
  }),
};

export const purgeDataset: Description = {
  tag: 'Files',
  summary: 'Delete every file of a dataset',
  description: 'Cannot be undone.',
  parameters: [
    {
      ...IN_QUERY.datasetId,
      in: 'path',
      required: true,
      description: 'The dataset. It is required with a frontend token, too.',
    },
  ],
  response: PURGED,
  errors: [],
};

export const purgeCustomer: Description = {
  tag: 'Files',
  summary: 'Delete every file of the customer',
  description: 'In all datasets. Cannot be undone. Requires an API key.',
  parameters: [],
  response: PURGED,
  errors: [],
};
