import DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import type { Call } from '../core/call.ts';
import { memoize } from '../core/memoize.ts';
import type { StoredFile } from '../core/model.ts';
import type { OpenCall } from '../http/door.ts';
import type { UseCases, Viewer } from '../use-cases/index.ts';
import { causeOf, refuseRequest, toGraphqlError } from './errors.ts';

/** What is known of a request before its operation is: all that graphql-yoga hands on. */
export interface ServerContext extends OpenCall {
  /** The public form of a failure that refuses the whole request; an unexpected one is reported. */
  refuse: (error: unknown) => GraphQLError;
}

/** What a resolver has of one request. */
export interface GraphqlContext {
  useCases: UseCases;
  call: Call;
  /** Ends the call's work when the reader of a subscription goes away. */
  cancel: () => void;
  /** The public form of a failure; an unexpected one is reported. */
  explain: (error: unknown) => GraphQLError;
  /** The signed download URLs of files, for all files of a request at once. */
  permanentUrls: DataLoader<StoredFile, string | null>;
  /** Who is calling; looked up once a request. */
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
    permanentUrls: new DataLoader((files) => signAll(useCases, call, files)),
    viewer: memoize(() => useCases.describeViewer(call, {})),
  };
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
