import { deleteFile, getFile, listFiles, purgeCustomer, purgeDataset } from './files.ts';
import { query, search } from './questions.ts';
import type { Route } from './route.ts';
import { createToken } from './tokens.ts';
import { uploadFiles } from './uploads.ts';

/** The contract as a table. Paths are below /v1. */
export const ROUTES: readonly Route[] = [
  ['GET', '/files', 'listFiles', listFiles],
  // Before the path that would take `upload` for a file id.
  ['POST', '/files/upload', 'uploadFiles', uploadFiles],
  ['GET', '/files/:fileId', 'getFile', getFile],
  ['DELETE', '/files/:fileId', 'deleteFile', deleteFile],
  ['DELETE', '/datasets/:datasetId{[^/]*}/files', 'purgeDataset', purgeDataset],
  ['DELETE', '/files', 'purgeCustomer', purgeCustomer],
  ['POST', '/query', 'answerQuestion', query],
  ['POST', '/search', 'search', search],
  ['POST', '/tokens/create', 'createToken', createToken],
];
