import type { Credits } from '../accounts/credits.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ReceiveRemote } from '../files/receive-remote.ts';
import { createIngestionLeases } from './ingestion-leases.ts';
import { createIngestionWorker } from './ingestion-worker.ts';
import { createIngestionReports } from './report-ingestions.ts';
import { createRunIngestion } from './run-ingestion.ts';
import { startUpload } from './start-upload.ts';

/** Asynchronous uploads: how they begin, and the work in the background that ends them. */
export function createIngestions(
  deps: Dependencies & { credits: Credits },
  receiveRemote: ReceiveRemote,
) {
  const { webhook } = deps;
  const leases = createIngestionLeases(deps, { hasWebhook: webhook !== undefined });
  const reports = createIngestionReports(deps);
  const run = createRunIngestion(deps, leases);
  const worker = createIngestionWorker(deps, leases, run, reports.notice);
  return {
    startUpload: startUpload(deps, receiveRemote, worker.notice),

    /** Works on ingestions, and reports their ends, until the signal is aborted. */
    async work(stopping: AbortSignal): Promise<void> {
      await Promise.all([worker.work(stopping), webhook && reports.work(webhook, stopping)]);
    },
  };
}
