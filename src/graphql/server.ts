import { createYoga } from 'graphql-yoga';
import { AppError } from '../core/errors.ts';
import type { Principal } from '../core/model.ts';
import type { Steps } from '../core/steps.ts';
import { readCredential } from '../http/credential.ts';
import type { UseCases } from '../use-cases/index.ts';
import {
  createContext,
  createServerContext,
  type GraphqlContext,
  type ServerContext,
} from './context.ts';
import { usePublicErrors } from './errors.ts';
import { readExamples } from './examples.ts';
import { useAnswerLimit } from './limits/answer-limit.ts';
import { type OperationLimits, useDocumentLimits } from './limits/document-limits.ts';
import { useRequestBodies } from './request-bodies.ts';
import { schema } from './schema/index.ts';

export interface GraphqlOptions {
  useCases: UseCases;
  /** Where uploaded files wait. */
  spoolDir: string;
  /** The most that one operation may ask for, and that its answer may be. */
  limits: OperationLimits & { answerBytes: number };
  /** Told of every failure that the table of errors does not know. */
  onUnexpected: (error: unknown, requestId: string) => void;
}

/** The GraphQL face: the schema on graphql-yoga, subscriptions over SSE, GraphiQL to explore. */
export async function createGraphql({ useCases, spoolDir, limits, onUnexpected }: GraphqlOptions) {
  const examples = await readExamples();
  const yoga = createYoga<ServerContext, GraphqlContext>({
    schema,
    async context(server) {
      server.call.principal = await server.call.steps.time('auth', () => authenticate(server));
      return createContext(useCases, server);
    },
    plugins: [
      useRequestBodies({ spoolDir, admit }),
      useDocumentLimits(schema, limits),
      useAnswerLimit(limits.answerBytes),
      usePublicErrors(),
    ],
    // Failures get their public form, and are reported, by our own plugin.
    maskedErrors: false,
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

  return (request: Request, { requestId, steps }: { requestId: string; steps: Steps }) =>
    yoga.fetch(
      // Yoga knows no HEAD; whoever answers it leaves the body out.
      request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request,
      createServerContext(request, { requestId, steps, onUnexpected }),
    );

  /** A credential that is shown must be good; a request without one can still ask for the schema. */
  async function authenticate({
    request,
    refuse,
  }: ServerContext & { request: Request }): Promise<Principal | undefined> {
    const credential = readCredential(request);
    try {
      return credential === undefined ? undefined : await useCases.authenticate(credential);
    } catch (error) {
      throw refuse(error);
    }
  }

  async function admit(request: Request): Promise<void> {
    const credential = readCredential(request);
    if (credential === undefined) throw new AppError('MISSING_CREDENTIAL');
    await useCases.authenticate(credential);
  }
}
