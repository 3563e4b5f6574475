import DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import type { Call } from '../core/call.ts';
import { AppError } from '../core/errors.ts';
import type { StoredFile } from '../core/model.ts';
import { once } from '../core/once.ts';
import type { RequestRecord } from '../core/request-record.ts';
import type { UseCases, Viewer } from '../use-cases/index.ts';
import { causeOf, refuseRequest, toGraphqlError } from './errors.ts';

/** What is known of one request before its operation is. */
export interface ServerContext {
  requestId: string;
  call: Call;
  /** Ends the call's work when the reader of a subscription goes away. */
  leave: () => void;
  /** The public form of a failure that refuses the whole request; an unexpected one is reported. */
  refuse: (error: unknown) => GraphQLError;
  report: (error: unknown) => void;
}

/** What a resolver has of one request. */
export interface GraphqlContext {
  useCases: UseCases;
  call: Call;
  /** Ends the call's work when the reader of a subscription goes away. */
  leave: () => void;
  /** The public form of a failure; an unexpected one is reported. */
  explain: (error: unknown) => GraphQLError;
  /** The signed download URLs of files, for all files of a request at once. */
  permanentUrls: DataLoader<StoredFile, string | null>;
  /** Who is calling; looked up once a request. */
  viewer: () => Promise<Viewer>;
}

export function createServerContext(
  request: Request,
  {
    requestId,
    record,
    onUnexpected,
  }: {
    requestId: string;
    record: RequestRecord;
    onUnexpected: (error: unknown, requestId: string) => void;
  },
): ServerContext {
  const gone = new AbortController();
  const signal = AbortSignal.any([request.signal, gone.signal]);
  const report = (error: unknown) => {
    if (!(error instanceof AppError) && !signal.aborted) onUnexpected(error, requestId);
  };
  return {
    requestId,
    call: { principal: undefined, requestId, signal, record },
    leave: () => gone.abort(),
    refuse(error) {
      report(error);
      return refuseRequest(error, requestId);
    },
    report,
  };
}

export function createContext(
  useCases: UseCases,
  { call, leave, report }: ServerContext,
): GraphqlContext {
  return {
    useCases,
    call,
    leave,
    explain(error) {
      const cause = causeOf(error);
      if (cause !== undefined) report(cause);
      return toGraphqlError(error, call.requestId);
    },
    permanentUrls: new DataLoader((files) => signAll(useCases, call, files)),
    viewer: once(() => useCases.describeViewer(call, {})),
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
