import type { Client, Reply } from './client.ts';

export interface UploadedFile {
  fileId: string;
  filePath: string;
  loaderId: string;
}

/** A dataset of a client whose files all say the same of a fox. */
export function createDataset(client: Client, datasetId: string) {
  const id = encodeURIComponent(datasetId);
  return {
    datasetId,

    /** Files by name, one chunk each. */
    async upload(...names: string[]): Promise<[UploadedFile, ...UploadedFile[]]> {
      const texts = names.map((name) => [name, `The fox is quick. It is ${name}.`]);
      const { status, body } = await client.upload(datasetId, Object.fromEntries(texts));
      if (status !== 200) throw new Error(`The upload was refused: ${JSON.stringify(body)}`);
      return body.files;
    },

    remove: ({ fileId }: UploadedFile): Promise<Reply> =>
      client.rest('DELETE', `/files/${fileId}?datasetId=${id}`),

    purge: (): Promise<Reply> => client.rest('DELETE', `/datasets/${id}/files`),

    /** The names of the files in the list, in alphabetical order. */
    async listed(): Promise<string[]> {
      const { body } = await client.rest('GET', `/files?datasetId=${id}`);
      return body.files.map(({ originalName }: { originalName: string }) => originalName).sort();
    },

    /** The names of the files that a search finds, in alphabetical order. */
    async found(): Promise<string[]> {
      const asked = { datasetId, question: 'Is the fox quick?', limit: 50 };
      const { body } = await client.rest('POST', '/search', asked);
      return body.data
        .map(({ metadata }: { metadata: { originalName: string } }) => metadata.originalName)
        .sort();
    },
  };
}

export type TestDataset = ReturnType<typeof createDataset>;
