import DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import type { Call } from '../core/call.ts';
import { memoize } from '../core/memoize.ts';
import type { StoredFile } from '../core/model.ts';
import type { OpenCall } from '../http/door.ts';
import type { DatasetSummary, UseCases, Viewer } from '../use-cases/index.ts';
import { causeOf, refuseRequest, toGraphqlError } from './errors.ts';

/** The context of a request before its operation is parsed, as passed to graphql-yoga. */
export interface ServerContext extends OpenCall {
  /**
   * Returns the public error for a failure that rejects the whole request. Unexpected failures are
   * reported.
   */
  refuse: (error: unknown) => GraphQLError;
}

/** The context of resolvers for one request. */
export interface GraphqlContext {
  useCases: UseCases;
  call: Call;
  /** Cancels the call when the client of a subscription disconnects. */
  cancel: () => void;
  /** Returns the public error for a failure. Unexpected failures are reported. */
  explain: (error: unknown) => GraphQLError;
  /** Loads datasets by their ids, in batches; null for one that the caller cannot see. */
  datasets: DataLoader<string, DatasetSummary | null>;
  /** Loads signed download URLs, in one batch for all files of a request. */
  permanentUrls: DataLoader<StoredFile, string | null>;
  /** The caller, looked up once per request. */
  viewer: () => Promise<Viewer>;
}

export function createServerContext(opened: OpenCall): ServerContext {
  return {
    ...opened,
    refuse(error) {
      opened.report(error);
      return refuseRequest(error, opened.call.requestId);
    },
  };
}

export function createContext(
  useCases: UseCases,
  { call, cancel, report }: ServerContext,
): GraphqlContext {
  return {
    useCases,
    call,
    cancel,
    explain(error) {
      const cause = causeOf(error);
      if (cause !== undefined) report(cause);
      return toGraphqlError(error, call.requestId);
    },
    datasets: new DataLoader((ids) => findDatasets(useCases, call, ids)),
    permanentUrls: new DataLoader((files) => signAll(useCases, call, files)),
    viewer: memoize(() => useCases.describeViewer(call, {})),
  };
}

async function findDatasets(
  useCases: UseCases,
  call: Call,
  datasetIds: readonly string[],
): Promise<(DatasetSummary | null)[]> {
  const found = await useCases.findDatasets(call, { datasetIds });
  const byId = new Map(found.map((dataset) => [dataset.datasetId, dataset]));
  return datasetIds.map((id) => byId.get(id) ?? null);
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
