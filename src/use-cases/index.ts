import { createAnnounceUpload } from './announce-upload.ts';
import { answerQuestion, askQuestion } from './answer.ts';
import { createAuthenticate } from './authenticate.ts';
import { createCharges } from './charges.ts';
import { createToken } from './create-token.ts';
import { createCredits } from './credits.ts';
import { deleteFile, purgeCustomer, purgeDataset } from './delete-files.ts';
import type { Dependencies } from './dependencies.ts';
import { describeViewer } from './describe-viewer.ts';
import { getFile, signFiles } from './get-file.ts';
import { createGuard } from './guard.ts';
import { listDatasets } from './list-datasets.ts';
import { listFiles, pageFiles } from './list-files.ts';
import { createNameOutage } from './outage.ts';
import { search } from './search.ts';
import { createSweep } from './sweep.ts';
import { uploadFiles } from './upload-files.ts';

/** Everything that can be asked of the gateway: each operation under the rules that POLICY has for it. */
export function createUseCases(deps: Dependencies) {
  const credits = createCredits(deps);
  const nameOutage = createNameOutage(deps);
  const authenticate = createAuthenticate(deps);
  const charges = createCharges({ ...deps, credits });
  const { once, stream, peek } = createGuard({ ...deps, charges, nameOutage });

  return {
    authenticate: (credential: string) =>
      authenticate(credential).catch((error: unknown) => Promise.reject(nameOutage(error))),
    sweep: createSweep({ ...deps, credits }),
    /** Ends what waits to be booked; before the database is closed. */
    settle: charges.settle,
    peekRate: peek,

    listFiles: stream('listFiles', listFiles(deps)),
    pageFiles: once('pageFiles', pageFiles(deps)),
    getFile: once('getFile', getFile(deps)),
    signFiles: once('signFiles', signFiles(deps)),
    listDatasets: once('listDatasets', listDatasets(deps)),
    describeViewer: once('describeViewer', describeViewer(deps)),

    announceUpload: createAnnounceUpload({ ...deps, credits, nameOutage }),
    uploadFiles: once('uploadFiles', uploadFiles(deps)),
    deleteFile: once('deleteFile', deleteFile(deps)),
    purgeDataset: once('purgeDataset', purgeDataset(deps)),
    purgeCustomer: once('purgeCustomer', purgeCustomer(deps)),

    search: once('search', search(deps)),
    answerQuestion: once('answerQuestion', answerQuestion(deps)),
    askQuestion: stream('answerQuestion', askQuestion(deps)),

    createToken: once('createToken', createToken(deps)),
  };
}

export type UseCases = ReturnType<typeof createUseCases>;

export type { Answer } from './answer.ts';
export type { Intents } from './count-intents.ts';
export type { CreatedToken } from './create-token.ts';
export type { Viewer } from './describe-viewer.ts';
export type { DatasetSummary } from './list-datasets.ts';
export type { Billing } from './upload-files.ts';
