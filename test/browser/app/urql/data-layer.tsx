import { useCallback, useEffect, useMemo, useState } from 'react';
import { type OperationResult, Provider, useClient, useMutation, useQuery } from 'urql';
import { onEnd, pipe, subscribe } from 'wonka';
import {
  FileListDocument,
  RemoveFileDocument,
  SendFilesDocument,
  SessionDocument,
} from '../../../generated/frontend.ts';
import type { DataLayer, Subscribe } from '../data-layer.ts';
import { fetchWithProgress } from '../fetch-with-progress.ts';
import { followDataset } from '../follow-dataset.ts';
import type { Problem } from '../problem.ts';
import { createUrqlClient, toProblem } from './client.ts';

/** The cache is of whole documents: these are read again after a mutation of a file. */
const OF_FILES = { additionalTypenames: ['File'] };

export const urqlLayer: DataLayer = {
  Provider({ session, children }) {
    const client = useMemo(() => createUrqlClient(session), [session]);
    return <Provider value={client}>{children}</Provider>;
  },

  useViewer() {
    const [{ data, error }, execute] = useQuery({ query: SessionDocument });
    const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
    return { data: data?.viewer ?? undefined, problem: error && toProblem(error), reload };
  },

  useFiles() {
    const [{ data, error }, execute] = useQuery({ query: FileListDocument, context: OF_FILES });
    const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
    const [broken, setBroken] = useState<Problem>();
    const subscribeTo = useSubscribe();
    useEffect(
      () => followDataset(subscribeTo, { onEvent: reload, onProblem: setBroken }),
      [subscribeTo, reload],
    );
    return { data: data?.files?.nodes, problem: broken ?? (error && toProblem(error)), reload };
  },

  useRemoveFile() {
    const [, remove] = useMutation(RemoveFileDocument);
    return async ({ fileId }) => {
      dataOf(await remove({ fileId }, OF_FILES));
    };
  },

  useSendFiles() {
    const [, send] = useMutation(SendFilesDocument);
    return async (files, onSent) => {
      const sent = dataOf(await send({ files }, { fetch: fetchWithProgress(onSent) }));
      return sent.startUpload.ingestion.ingestionId;
    };
  },

  useSubscribe,
};

function useSubscribe(): Subscribe {
  const client = useClient();
  return useCallback<Subscribe>(
    (document, variables, sink) => {
      let isOver = false;
      const { unsubscribe } = pipe(
        client.subscription(document, variables),
        onEnd(() => {
          if (!isOver) sink.complete();
          isOver = true;
        }),
        subscribe(({ data, error, hasNext }) => {
          if (isOver) return;
          if (error) {
            isOver = true;
            sink.error(toProblem(error));
            // The end of a stream comes with its last event once more.
          } else if (data && hasNext) sink.next(data);
        }),
      );
      return () => {
        isOver = true;
        unsubscribe();
      };
    },
    [client],
  );
}

/** @throws Problem */
function dataOf<T>({ data, error }: OperationResult<T>): T {
  if (error) throw toProblem(error);
  if (!data) throw new Error('The gateway has answered nothing.');
  return data;
}
