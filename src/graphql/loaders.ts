import DataLoader from 'dataloader';
import type { Call } from '../core/call.ts';
import type { StoredFile } from '../core/model.ts';
import type {
  ChunkPage,
  DatasetSummary,
  FilePage,
  FilePageInput,
  FilesInput,
  PageInput,
  UseCases,
} from '../use-cases/index.ts';
import { orNull } from './global-id.ts';

/** The loaders for edges of the graph: each loads for all objects of a list at once. */
export interface Loaders {
  /** Datasets by id; null for one that the caller cannot see. */
  datasets: DataLoader<string, DatasetSummary | null>;
  /** Files by id; null for one that the caller cannot see. */
  files: EdgeLoader<Pick<FilesInput, 'transcripts'>, StoredFile>;
  /** The files of datasets; null for a dataset that the caller cannot see. */
  filePages: EdgeLoader<FilePageInput, FilePage>;
  /** The chunks of files; null for a file that the caller cannot see. */
  chunkPages: EdgeLoader<PageInput, ChunkPage>;
  /** Signed download URLs. */
  permanentUrls: DataLoader<StoredFile, string | null>;
}

/** Loads what is found for the ids of objects and the arguments of their field. */
type EdgeLoader<A, T> = DataLoader<{ of: string; args: A }, T | null>;

export function createLoaders(useCases: UseCases, call: Call): Loaders {
  return {
    datasets: byId(async (datasetIds) => {
      const found = (await orNull(() => useCases.findDatasets(call, { datasetIds }))) ?? [];
      return new Map(found.map((dataset) => [dataset.datasetId, dataset]));
    }),
    files: edges(async (fileIds, args) => {
      const found = (await orNull(() => useCases.findFiles(call, { ...args, fileIds }))) ?? [];
      return new Map(found.map((file) => [file.fileId, file]));
    }),
    filePages: edges((datasetIds, args) =>
      useCases.pageFilesOfDatasets(call, { ...args, datasetIds }),
    ),
    chunkPages: edges((fileIds, args) => useCases.pageChunks(call, { ...args, fileIds })),
    permanentUrls: new DataLoader((files) => signAll(useCases, call, files)),
  };
}

/* Nothing is cached, so the mutations of a request and the events of a subscription see what they changed. */

function byId<T>(load: (ids: string[]) => Promise<Map<string, T>>): DataLoader<string, T | null> {
  return new DataLoader(
    async (ids: readonly string[]) => {
      const found = await load([...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false },
  );
}

/** One call for all objects with the same arguments. When it fails, only their fields fail. */
function edges<A, T>(load: (of: string[], args: A) => Promise<Map<string, T>>): EdgeLoader<A, T> {
  return new DataLoader(
    async (keys: readonly { of: string; args: A }[]) => {
      const groups = Map.groupBy(keys, ({ args }) => JSON.stringify(args));
      const loaded = new Map<A, Map<string, T> | Error>();
      await Promise.all(
        [...groups.values()].map(async (group) => {
          const [first] = group;
          if (!first) return;
          const of = new Set(group.map((key) => key.of));
          const found = await load([...of], first.args).catch(toError);
          for (const { args } of group) loaded.set(args, found);
        }),
      );
      return keys.map(({ of, args }) => {
        const found = loaded.get(args);
        return found instanceof Error ? found : (found?.get(of) ?? null);
      });
    },
    { cache: false },
  );
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

async function signAll(
  useCases: UseCases,
  call: Call,
  files: readonly StoredFile[],
): Promise<(string | null)[]> {
  const urls = new Map<StoredFile, string | null>();
  for (const [datasetId, ofDataset] of Map.groupBy(files, (file) => file.datasetId)) {
    const signed = await useCases.signFiles(call, { datasetId, files: ofDataset });
    for (const [index, file] of ofDataset.entries()) urls.set(file, signed[index] ?? null);
  }
  return files.map((file) => urls.get(file) ?? null);
}
