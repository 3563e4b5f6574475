import { useEffect, useState } from 'preact/hooks';
import { FileDocument, type FileQuery } from '../../generated/playground.ts';
import type { Gateway } from '../api/gateway.ts';
import { type Problem, problemOf } from '../api/problem.ts';

export interface FileOptions {
  gateway: Gateway;
  datasetId: string;
  fileId: string;
  /** Takes what is asked for. */
  onRead: (variables: { datasetId: string; fileId: string; first: number }) => void;
}

type OpenFile = NonNullable<FileQuery['file']>;

/** Chunks that are read at once. */
const PAGE_SIZE = 20;

/** A file with its link and its chunks, read page by page. */
export function useFile({ gateway, datasetId, fileId, onRead }: FileOptions) {
  const [file, setFile] = useState<OpenFile>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    void readMore();
  }, []);
  return { file, problem, readMore };

  async function readMore(): Promise<void> {
    const before = file?.chunks;
    const after = before?.pageInfo.endCursor;
    const variables = { datasetId, fileId, first: PAGE_SIZE, after };
    setProblem(undefined);
    onRead(variables);
    try {
      const { file: found } = await gateway.execute(FileDocument, variables);
      if (!found?.chunks) setProblem({ code: 'FILE_NOT_FOUND', text: 'The file was deleted.' });
      else {
        const nodes = [...(before?.nodes ?? []), ...found.chunks.nodes];
        setFile({ ...found, chunks: { ...found.chunks, nodes } });
      }
    } catch (error) {
      setProblem(problemOf(error));
    }
  }
}
