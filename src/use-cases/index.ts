import { createAuthenticate } from './accounts/authenticate.ts';
import { createCharges } from './accounts/charges.ts';
import { createToken } from './accounts/create-token.ts';
import { createCredits } from './accounts/credits.ts';
import { createIdempotency } from './accounts/idempotency.ts';
import { revokeToken } from './accounts/revoke-token.ts';
import { describeViewer } from './accounts/viewer.ts';
import { datasetChanges } from './datasets/dataset-changes.ts';
import { findDatasets, listDatasets } from './datasets/list-datasets.ts';
import type { Dependencies } from './dependencies.ts';
import { createAnnounceUpload } from './files/announce-upload.ts';
import { deleteFile, purgeCustomer, purgeDataset } from './files/delete-files.ts';
import { pageChunks } from './files/file-chunks.ts';
import { findFiles, getFile, signFiles } from './files/get-file.ts';
import { listFiles, pageFiles, pageFilesOfDatasets } from './files/list-files.ts';
import { readFile } from './files/read-file.ts';
import { createReceiveRemote } from './files/receive-remote.ts';
import { uploadFiles } from './files/upload-files.ts';
import { createGuard } from './guard.ts';
import { getIngestion, watchIngestion } from './ingestions/get-ingestion.ts';
import { createIngestions } from './ingestions/ingestions.ts';
import { createToUnavailable } from './outage.ts';
import { answerQuestion, askQuestion } from './questions/answer.ts';
import { search } from './questions/search.ts';
import { createSubscriptions } from './subscriptions.ts';

/** Every operation of the gateway, guarded by its row of POLICY. */
export function createUseCases(deps: Dependencies) {
  const credits = createCredits(deps);
  const toUnavailable = createToUnavailable(deps);
  const authenticate = createAuthenticate({ ...deps, toUnavailable });
  const charges = createCharges({ ...deps, credits });
  const subscriptions = createSubscriptions(deps);
  const receiveRemote = createReceiveRemote({ ...deps, credits });
  const ingestions = createIngestions({ ...deps, credits }, receiveRemote);
  const idempotency = createIdempotency({ ...deps, credits });
  const { single, stream, peek } = createGuard({ ...deps, charges, idempotency, toUnavailable });

  return {
    authenticate,
    /** Works on asynchronous uploads until the signal is aborted. */
    ingest: ingestions.work,
    /** Captures and refunds what is still open; call it before the database is closed. */
    settle: charges.settle,
    /** Ends subscriptions to changes, which would go on as long as their clients; call it before the server is stopped. */
    endWatches: subscriptions.end,
    /** Stops calls whose clients have gone; call it before `settle`. */
    stop: idempotency.stop,
    peekRate: peek,

    listFiles: stream('listFiles', listFiles(deps)),
    pageFiles: single('pageFiles', pageFiles(deps)),
    pageFilesOfDatasets: single('pageFilesOfDatasets', pageFilesOfDatasets(deps)),
    pageChunks: single('pageChunks', pageChunks(deps)),
    findFiles: single('findFiles', findFiles(deps)),
    getFile: single('getFile', getFile(deps)),
    readFile: single('readFile', readFile(deps)),
    signFiles: single('signFiles', signFiles(deps)),
    listDatasets: single('listDatasets', listDatasets(deps)),
    findDatasets: single('findDatasets', findDatasets(deps)),
    datasetChanged: stream('datasetChanged', datasetChanges({ ...deps, subscriptions })),
    describeViewer: single('describeViewer', describeViewer(deps)),

    announceUpload: createAnnounceUpload({ ...deps, credits, toUnavailable }),
    uploadFiles: single('uploadFiles', uploadFiles(deps, receiveRemote)),
    startUpload: single('startUpload', ingestions.startUpload),
    getIngestion: single('getIngestion', getIngestion(deps)),
    ingestionChanged: stream('ingestionChanged', watchIngestion({ ...deps, subscriptions })),
    deleteFile: single('deleteFile', deleteFile(deps)),
    purgeDataset: single('purgeDataset', purgeDataset(deps)),
    purgeCustomer: single('purgeCustomer', purgeCustomer(deps)),

    search: single('search', search(deps)),
    answerQuestion: single('answerQuestion', answerQuestion(deps)),
    askQuestion: stream('answerQuestion', askQuestion(deps)),

    createToken: single('createToken', createToken(deps)),
    revokeToken: single('revokeToken', revokeToken(deps)),
  };
}

export type UseCases = ReturnType<typeof createUseCases>;

export type { CreatedToken } from './accounts/created-token.ts';
export type { TokenSummary, Viewer } from './accounts/viewer.ts';
export type { DatasetEvent } from './datasets/dataset-changes.ts';
export type { DatasetSummary } from './datasets/list-datasets.ts';
export type { DeletedFile } from './files/delete-files.ts';
export type { ChunkPage } from './files/file-chunks.ts';
export type { FilesInput } from './files/get-file.ts';
export type { FilePage, FilePageInput } from './files/list-files.ts';
export { ON_DUPLICATE, type OnDuplicate } from './files/read-upload.ts';
export type { Billing, Uploaded } from './files/uploaded.ts';
export type { Ingestion } from './ingestions/ingestion.ts';
export type { StartedUpload } from './ingestions/start-upload.ts';
export type { Intents } from './maintenance/maintenance.ts';
export type { PageInput } from './page-input.ts';
export { requestSchemas } from './request-schemas.ts';
