import { createYoga, type Plugin } from 'graphql-yoga';
import { AppError } from '../core/errors.ts';
import type { Principal } from '../core/model.ts';
import type { Steps } from '../core/steps.ts';
import { readCredential } from '../http/credential.ts';
import type { UseCases } from '../use-cases/index.ts';
import { createContext, type GraphqlContext } from './context.ts';
import { refuseRequest, toGraphqlError, usePublicErrors } from './errors.ts';
import { readExamples } from './examples.ts';
import { useRequestBodies } from './request-bodies.ts';
import { schema } from './schema/index.ts';

/** What Yoga is handed with a request. */
export interface ServerContext {
  requestId: string;
  steps: Steps;
}

export interface GraphqlOptions {
  useCases: UseCases;
  /** Where uploaded files wait. */
  spoolDir: string;
  /** Told of every failure that the table of errors does not know. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** A document of more tokens than this is no honest question. */
const MOST_TOKENS = 5000;

/** The GraphQL face: the schema on graphql-yoga, subscriptions over SSE, GraphiQL to explore. */
export async function createGraphql({ useCases, spoolDir, onUnexpected }: GraphqlOptions) {
  const examples = await readExamples();
  const yoga = createYoga<ServerContext, GraphqlContext>({
    schema,
    context: async ({ request, requestId, steps }) =>
      createContext({
        useCases,
        principal: await steps.time('auth', () => authenticate(request, requestId)),
        requestId,
        signal: request.signal,
        steps,
        onUnexpected,
      }),
    plugins: [useRequestBodies({ spoolDir, admit, refuse }), useTokenLimit(), usePublicErrors()],
    // What fails outside an operation. Yoga logs whatever this changes: hence `logging` below.
    maskedErrors: { maskError: (error) => toGraphqlError(error) },
    graphiql: { title: 'filequery', subscriptionsProtocol: 'GRAPHQL_SSE' },
    // Its page brings its scripts along, so it works with no internet; they are 60 MB in memory.
    renderGraphiQL: async (options) => {
      const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
      return renderGraphiQL({ ...options, ...examples });
    },
    cors: false,
    landingPage: false,
    logging: false,
    multipart: false,
    // Our own reader has caps for each kind of body.
    maxRequestBodySize: false,
  });

  return (request: Request, { requestId, steps }: ServerContext) =>
    yoga.fetch(request, { requestId, steps });

  /** A credential that is shown must be good; a request without one can still ask for the schema. */
  async function authenticate(request: Request, requestId: string): Promise<Principal | undefined> {
    const credential = readCredential(request);
    try {
      return credential === undefined ? undefined : await useCases.authenticate(credential);
    } catch (error) {
      throw refuse(error, requestId);
    }
  }

  async function admit(request: Request): Promise<void> {
    const credential = readCredential(request);
    if (credential === undefined) throw new AppError('MISSING_CREDENTIAL');
    await useCases.authenticate(credential);
  }

  function refuse(error: unknown, requestId: string): Error {
    if (!(error instanceof AppError)) onUnexpected(error, requestId);
    return refuseRequest(error, requestId);
  }
}

/** Refuses endless documents before they are parsed. */
function useTokenLimit(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: MOST_TOKENS }));
    },
  };
}
