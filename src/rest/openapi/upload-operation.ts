import { LIMITS, overlapRange, RANGES } from '../../core/limits.ts';
import { ON_DUPLICATE } from '../../use-cases/index.ts';
import { DATASET_ID, type Description, IN_QUERY, integer, json, SUCCESS } from './describe.ts';
import * as examples from './examples.ts';
import { objectOf, ref } from './schemas.ts';

const MiB = 1024 ** 2;
const files = { type: 'array', items: ref('File') };
/** For the largest chunks. */
const overlap = overlapRange(RANGES.chunkSize.max);

const form = objectOf(
  {
    file: {
      type: 'array',
      items: { type: 'string', contentMediaType: 'application/octet-stream' },
      maxItems: LIMITS.filesPerUpload,
      description: `The files, each up to ${LIMITS.fileBytes / MiB} MiB (audio and video ${LIMITS.mediaBytes / MiB} MiB), together up to ${LIMITS.uploadBytes / MiB} MiB, with those of \`urls\`. There must be a file or a URL.`,
    },
    urls: {
      type: 'array',
      items: { type: 'string', format: 'uri', maxLength: LIMITS.urlCharacters },
      maxItems: LIMITS.filesPerUpload,
      description: `URLs of files, which the gateway fetches from public addresses; they come after those of \`file\`; together there are at most ${LIMITS.filesPerUpload}. The field is repeated, or it is a JSON list.`,
      examples: [['https://example.org/report.pdf']],
    },
    datasetId: DATASET_ID,
    metadata: {
      type: 'object',
      description: `The custom metadata of each file, by its name, its URL or its position from 0; for each file at most ${LIMITS.metadataBytes / 1024} KiB.`,
      additionalProperties: { type: 'object', additionalProperties: true },
      examples: [examples.METADATA],
    },
    chunkSize: integer(RANGES.chunkSize, 'Tokens in a chunk.'),
    chunkOverlap: {
      type: 'integer',
      minimum: overlap.min,
      maximum: overlap.max,
      description: `Tokens that a chunk repeats from the previous one: at most half of \`chunkSize\`. By default ${overlap.preset}, or that half if it is smaller.`,
    },
    onDuplicate: {
      type: 'string',
      enum: [...ON_DUPLICATE],
      default: ON_DUPLICATE[0],
      description:
        '`SKIP` does not store files whose content the dataset already has, and the stored ones keep their metadata; `REPLACE` removes files that have the name of a new one.',
    },
  },
  ['file', 'urls', 'datasetId', 'metadata', 'chunkSize', 'chunkOverlap', 'onDuplicate'],
);

export const uploadFiles: Description = {
  tag: 'Files',
  summary: 'Upload files',
  description:
    'Stores all files of the form or none; they can be searched when the response arrives. The dataset may be in the URL instead of the form: then it is checked before the body is read.',
  parameters: [IN_QUERY.datasetId],
  body: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: form,
        encoding: { metadata: { contentType: 'application/json' } },
      },
    },
  },
  response: {
    description: 'The files, in the order of the form.',
    content: json(
      objectOf(
        {
          success: SUCCESS,
          message: { type: 'string' },
          files,
          skipped: {
            ...files,
            description:
              'The stored file for each one that was skipped; only when the request has `onDuplicate`.',
          },
          replaced: {
            ...files,
            description:
              'The files that new ones replaced; only when the request has `onDuplicate`. Empty for a token that may not read files.',
          },
          billed: ref('Billing'),
        },
        ['skipped', 'replaced'],
      ),
      {
        success: true,
        message: '1 file uploaded',
        files: [examples.FILE],
        billed: { fileCount: 1, uploadUnits: 1 },
      },
    ),
  },
  errors: [
    'REQUEST_TIMEOUT',
    'EMBEDDING_MODEL_MISMATCH',
    'BODY_TOO_LARGE',
    'FILE_TOO_LARGE',
    'RECORDING_TOO_LARGE',
    'URL_TOO_LARGE',
    'URL_NOT_FETCHED',
    'UNSUPPORTED_CONTENT_TYPE',
    'UNSUPPORTED_FILE_TYPE',
    'UNREADABLE_FILE',
  ],
};
