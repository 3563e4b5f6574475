import type { ApolloCache } from '@apollo/client';
import { ApolloProvider, useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import {
  FileListDocument,
  RemoveFileDocument,
  SendFilesDocument,
  SessionDocument,
} from '../../../generated/frontend.ts';
import type { DataLayer, Subscribe } from '../data-layer.ts';
import { type DatasetEvent, followDataset } from '../follow-dataset.ts';
import type { Problem } from '../problem.ts';
import { createApolloClient, toProblem } from './client.ts';

export const apolloLayer: DataLayer = {
  Provider({ session, children }) {
    const client = useMemo(() => createApolloClient(session), [session]);
    return <ApolloProvider client={client}>{children}</ApolloProvider>;
  },

  useViewer() {
    const { data, error, refetch } = useQuery(SessionDocument);
    return { data: data?.viewer ?? undefined, problem: error && toProblem(error), reload: refetch };
  },

  useFiles() {
    const { cache } = useApolloClient();
    const { data, error, refetch } = useQuery(FileListDocument);
    const [broken, setBroken] = useState<Problem>();
    const subscribe = useSubscribe();
    useEffect(() => {
      const onEvent = (event: DatasetEvent) => {
        if (!applyTo(cache, event)) refetch();
      };
      return followDataset(subscribe, { onEvent, onProblem: setBroken });
    }, [cache, refetch, subscribe]);
    return {
      data: data?.files?.nodes,
      problem: broken ?? (error && toProblem(error)),
      reload: refetch,
    };
  },

  useRemoveFile() {
    const [remove] = useMutation(RemoveFileDocument, {
      update: (cache, { data }) => data && evictFile(cache, data.deleteFile.deletedFileId),
    });
    return async ({ fileId }) => {
      await remove({ variables: { fileId } }).catch(rejectAsProblem);
    };
  },

  useSendFiles() {
    const [send] = useMutation(SendFilesDocument);
    return async (files, onSent) => {
      const context = { fetchOptions: { onSent } };
      const { data } = await send({ variables: { files }, context }).catch(rejectAsProblem);
      return data?.startUpload.ingestion.ingestionId ?? '';
    };
  },

  useSubscribe,
};

function useSubscribe(): Subscribe {
  const client = useApolloClient();
  return useCallback<Subscribe>(
    (query, variables, sink) => {
      // Events are not objects of a cache.
      const events = client.subscribe({ query, variables, fetchPolicy: 'no-cache' });
      let isOver = false;
      const subscription = events.subscribe({
        next({ data, error }) {
          if (isOver) return;
          if (error) {
            isOver = true;
            sink.error(toProblem(error));
          } else if (data) sink.next(data);
        },
        complete: () => isOver || sink.complete(),
      });
      return () => subscription.unsubscribe();
    },
    [client],
  );
}

/** @returns whether the list is as it should be now */
function applyTo(cache: ApolloCache, event: DatasetEvent): boolean {
  if (event.__typename === 'FileRemoved') {
    evictFile(cache, event.deletedFileId);
    return true;
  }
  if (event.__typename !== 'FileAdded') return false;
  const { file } = event;
  const list = cache.updateQuery({ query: FileListDocument }, (data) => {
    if (!data?.files) return data;
    const others = data.files.nodes.filter(({ id }) => id !== file.id);
    return { files: { ...data.files, nodes: [file, ...others] } };
  });
  return list !== null;
}

function evictFile(cache: ApolloCache, id: string): void {
  cache.evict({ id: cache.identify({ __typename: 'File', id }) });
  cache.gc();
}

function rejectAsProblem(error: Error): never {
  throw toProblem(error);
}
