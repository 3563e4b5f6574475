import type { Route } from '../http/route.ts';
import { deleteFile, getFile, listFiles, purgeCustomer, purgeDataset } from './files.ts';
import { answerQuestion, search } from './questions.ts';
import { createToken, revokeToken } from './tokens.ts';
import { uploadFiles } from './uploads.ts';

/** The routes of the contract. Paths are below /v1. */
export const ROUTES = [
  ['GET', '/files', 'listFiles', listFiles],
  // Before the path that would match `upload` as a file id.
  ['POST', '/files/upload', 'uploadFiles', uploadFiles],
  ['GET', '/files/:fileId', 'getFile', getFile],
  ['DELETE', '/files/:fileId', 'deleteFile', deleteFile],
  ['DELETE', '/datasets/:datasetId{[^/]*}/files', 'purgeDataset', purgeDataset],
  ['DELETE', '/files', 'purgeCustomer', purgeCustomer],
  ['POST', '/query', 'answerQuestion', answerQuestion],
  ['POST', '/search', 'search', search],
  ['POST', '/tokens/create', 'createToken', createToken],
  ['DELETE', '/tokens/:tokenId', 'revokeToken', revokeToken],
] as const satisfies readonly Route[];

/** An operation that has a route. */
export type RestOperation = (typeof ROUTES)[number][2];
