import DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import { AppError } from '../core/errors.ts';
import type { Call, Principal, StoredFile } from '../core/model.ts';
import type { Steps } from '../core/steps.ts';
import type { UseCases } from '../use-cases/index.ts';
import { causeOf, toGraphqlError } from './errors.ts';

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
}

export interface ContextOptions {
  useCases: UseCases;
  principal: Principal | undefined;
  requestId: string;
  signal: AbortSignal;
  steps: Steps;
  onUnexpected: (error: unknown, requestId: string) => void;
}

export function createContext(options: ContextOptions): GraphqlContext {
  const { useCases, principal, requestId, steps, onUnexpected } = options;
  const gone = new AbortController();
  const signal = AbortSignal.any([options.signal, gone.signal]);
  const call: Call = { principal, requestId, signal, steps };
  return {
    useCases,
    call,
    leave: () => gone.abort(),
    explain(error) {
      const cause = causeOf(error);
      const expected = cause === undefined || cause instanceof AppError || signal.aborted;
      if (!expected) onUnexpected(cause, requestId);
      return toGraphqlError(error, requestId);
    },
    permanentUrls: new DataLoader((files) => signAll(useCases, call, files)),
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
