import { FilequeryError } from '../../client/client-errors.ts';
import type { Connection } from '../../client/connection.ts';
import { subscribeOnce } from '../../client/subscribe.ts';
import {
  DatasetChangedDocument,
  type DatasetChangedSubscription,
} from '../../generated/playground.ts';
import { isPassing } from './problem.ts';

export type DatasetEvent = DatasetChangedSubscription['datasetChanged'];

export interface Follower {
  onEvent: (event: DatasetEvent) => void;
  /** The connection is lost, and opened again if that may help. */
  onLost: (error: unknown) => void;
}

const PAUSE_MS = 5_000;

/**
 * Follows the files of a dataset until the signal aborts, across lost connections: each new one begins
 * with `DatasetWatched`, after which the list is to be read again.
 */
export function follow(connection: Connection) {
  return async (
    datasetId: string | undefined,
    { onEvent, onLost }: Follower,
    signal: AbortSignal,
  ): Promise<void> => {
    const operation = {
      query: String(DatasetChangedDocument),
      variables: { input: { datasetId } },
    };
    let attempts = connection.begin({ signal });
    while (!signal.aborted) {
      try {
        const credential = await attempts.credential();
        const data = subscribeOnce<DatasetChangedSubscription>(connection, operation, credential, {
          signal,
        });
        for await (const { datasetChanged } of data) {
          attempts = connection.begin({ signal });
          onEvent(datasetChanged);
        }
        throw new FilequeryError('The connection was lost', { code: 'NETWORK' });
      } catch (error) {
        if (signal.aborted) return;
        onLost(error);
        try {
          await attempts.failed(error);
        } catch {
          if (signal.aborted || !isPassing(error)) return;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          attempts = connection.begin({ signal });
        }
      }
    }
  };
}
