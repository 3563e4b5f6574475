import type { GraphQLError } from 'graphql';
import type { Call } from '../core/call.ts';
import { memoize } from '../core/memoize.ts';
import type { OpenCall } from '../http/door.ts';
import type { UseCases, Viewer } from '../use-cases/index.ts';
import { causeOf, toGraphqlError, toRequestError } from './graphql-errors.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** The context of a request before its operation is parsed, as passed to graphql-yoga. */
export interface ServerContext extends OpenCall {
  /**
   * Returns the public error for a failure that rejects the whole request. Unexpected failures are
   * reported.
   */
  requestError: (error: unknown) => GraphQLError;
}

/** The context of resolvers for one request. */
export interface GraphqlContext extends Loaders {
  useCases: UseCases;
  call: Call;
  /** Cancels the call when the client of a subscription disconnects. */
  cancel: () => void;
  /** Returns the public error for a failure. Unexpected failures are reported. */
  explain: (error: unknown) => GraphQLError;
  /** The caller, looked up once per request. */
  viewer: () => Promise<Viewer>;
}

export function createServerContext(opened: OpenCall): ServerContext {
  return {
    ...opened,
    requestError(error) {
      opened.report(error);
      return toRequestError(error, opened.call.requestId);
    },
  };
}

export function createContext(
  useCases: UseCases,
  { call, cancel, report }: ServerContext,
): GraphqlContext {
  return {
    ...createLoaders(useCases, call),
    useCases,
    call,
    cancel,
    explain(error) {
      const cause = causeOf(error);
      if (cause !== undefined) report(cause);
      return toGraphqlError(error, call.requestId);
    },
    viewer: memoize(() => useCases.describeViewer(call, {})),
  };
}
