import DataLoader from 'dataloader';
import type { Call } from '../core/call.ts';
import type { StoredFile } from '../core/model.ts';
import type {
  ChunkPage,
  DatasetSummary,
  FilePage,
  FilePageInput,
  PageInput,
  UseCases,
} from '../use-cases/index.ts';
import { orNull } from './global-id.ts';

/** The loaders for edges of the graph: each loads for all objects of a list at once. */
export interface Loaders {
  /** Datasets by id; null for one that the caller cannot see. */
  datasets: DataLoader<string, DatasetSummary | null>;
  /** Files by id; null for one that the caller cannot see. */
  files: DataLoader<string, StoredFile | null>;
  /** The files of datasets; null for a dataset that the caller cannot see. */
  filePages: DataLoader<{ of: string; page: FilePageInput }, FilePage | null>;
  /** The chunks of files; null for a file that the caller cannot see. */
  chunkPages: DataLoader<{ of: string; page: PageInput }, ChunkPage | null>;
  /** Signed download URLs. */
  permanentUrls: DataLoader<StoredFile, string | null>;
}

export function createLoaders(useCases: UseCases, call: Call): Loaders {
  return {
    datasets: byId(async (datasetIds) => {
      const found = (await orNull(() => useCases.findDatasets(call, { datasetIds }))) ?? [];
      return new Map(found.map((dataset) => [dataset.datasetId, dataset]));
    }),
    files: byId(async (fileIds) => {
      const found = (await orNull(() => useCases.findFiles(call, { fileIds }))) ?? [];
      return new Map(found.map((file) => [file.fileId, file]));
    }),
    filePages: pages((datasetIds, page) =>
      useCases.pageFilesOfDatasets(call, { ...page, datasetIds }),
    ),
    chunkPages: pages((fileIds, page) => useCases.pageChunks(call, { ...page, fileIds })),
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

/** One call for all lists with the same arguments. When it fails, only these lists fail. */
function pages<A, T>(
  load: (of: string[], page: A) => Promise<Map<string, T>>,
): DataLoader<{ of: string; page: A }, T | null> {
  return new DataLoader(
    async (keys: readonly { of: string; page: A }[]) => {
      const groups = Map.groupBy(keys, ({ page }) => JSON.stringify(page));
      const loaded = new Map<A, Map<string, T> | Error>();
      await Promise.all(
        [...groups.values()].map(async (group) => {
          const [first] = group;
          if (!first) return;
          const of = new Set(group.map((key) => key.of));
          const found = await load([...of], first.page).catch(toError);
          for (const { page } of group) loaded.set(page, found);
        }),
      );
      return keys.map(({ of, page }) => {
        const found = loaded.get(page);
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
