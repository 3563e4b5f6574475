import { FollowDatasetDocument, type FollowDatasetSubscription } from '../../generated/frontend.ts';
import type { Subscribe } from './data-layer.ts';
import { BROKEN_OFF, endsSession, type Problem } from './problem.ts';

export type DatasetEvent = FollowDatasetSubscription['datasetChanged'];

const RETRY_MS = 1_000;

interface Follower {
  onEvent(event: DatasetEvent): void;
  /** Of the connection; nothing when it is there again. */
  onProblem(problem: Problem | undefined): void;
}

/**
 * Follows the changes of the dataset through lost connections: each new subscription begins after
 * the last event.
 *
 * @returns how to end it
 */
export function followDataset(subscribe: Subscribe, { onEvent, onProblem }: Follower): () => void {
  let after: string | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let stop = start();
  return () => {
    clearTimeout(timer);
    stop();
  };

  function start() {
    return subscribe(
      FollowDatasetDocument,
      { after },
      {
        next({ datasetChanged: event }) {
          after = event.cursor;
          onProblem(undefined);
          onEvent(event);
        },
        error: retry,
        complete: () => retry(BROKEN_OFF),
      },
    );
  }

  function retry(problem: Problem): void {
    onProblem(problem);
    if (endsSession(problem)) return;
    timer = setTimeout(() => {
      stop = start();
    }, RETRY_MS);
  }
}
