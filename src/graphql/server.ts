import { createYoga, shouldRenderGraphiQL } from 'graphql-yoga';
import { Hono } from 'hono';
import { type Door, openCall, type Service } from '../http/door.ts';
import { HTML, readGenerated, servePage } from '../http/page.ts';
import { useAcceptedTypes } from './accepted-types.ts';
import {
  createContext,
  createServerContext,
  type GraphqlContext,
  type ServerContext,
} from './context.ts';
import { useAnswerLimit } from './limits/answer-limit.ts';
import { type OperationLimits, useDocumentLimits } from './limits/document-limits.ts';
import { usePublicErrors } from './public-errors.ts';
import { useRequestBodies } from './request-bodies.ts';
import { schema } from './schema/index.ts';
import { useStreamedResults } from './streamed-results.ts';
import { readTrustedDocuments, useTrustedDocuments } from './trusted-documents.ts';

/** The limits for one operation, and for the size of its response in bytes. */
export type GraphqlLimits = OperationLimits & { answerBytes: number };

/** Documents that requests can name: the path of a JSON file, and whether others are refused. */
export interface TrustedDocumentsFile {
  path: string;
  only: boolean;
}

/**
 * Serves the GraphQL schema with graphql-yoga: subscriptions over SSE or in parts, and GraphiQL.
 *
 * @throws ConfigurationError for a file of trusted documents that cannot be used
 */
export async function createGraphql(
  service: Service,
  {
    trustedDocuments,
    ...limits
  }: GraphqlLimits & { trustedDocuments: TrustedDocumentsFile | undefined },
): Promise<Door> {
  const { useCases, receiveUpload } = service;
  const trusted = trustedDocuments && {
    texts: await readTrustedDocuments(trustedDocuments.path, schema),
    only: trustedDocuments.only,
  };
  const graphiql = readGenerated(HTML, 'graphiql.html');
  const yoga = createYoga<ServerContext, GraphqlContext>({
    schema,
    // Yoga's own Response would be copied, and a disconnect logged as an error on the console.
    fetchAPI: { Response },
    context: async (server) => {
      // Requests with a body are already identified before the body is read.
      await identify(server);
      return createContext(useCases, server);
    },
    plugins: [
      useRequestBodies({ identify, receiveUpload }),
      useTrustedDocuments(trusted),
      useDocumentLimits(schema, limits),
      useAnswerLimit(limits.answerBytes),
      usePublicErrors(),
      useStreamedResults(),
      useAcceptedTypes(),
    ],
    // `usePublicErrors` creates public errors and reports failures.
    maskedErrors: false,
    graphiql: false,
    cors: false,
    landingPage: false,
    logging: false,
    multipart: false,
    // `useRequestBodies` has a limit for each type of body.
    maxRequestBodySize: false,
  });

  const routes: Door['routes'] = new Hono();
  routes.all('/', async ({ req: { raw: request }, var: known }) => {
    const context = createServerContext(openCall(request, known, service));
    const answer = async (asked: Request) =>
      shouldRenderGraphiQL(asked)
        ? servePage(asked, graphiql, { vary: 'accept, accept-encoding' })
        : yoga.fetch(asked, context);
    if (request.method !== 'HEAD') return answer(request);
    // Yoga does not know HEAD, and Hono cannot copy the headers of Yoga's own responses.
    const { status, headers } = await answer(new Request(request, { method: 'GET' }));
    return new Response(null, { status, headers: [...headers] });
  });
  return { path: '/graphql', routes };
}

/** Rejects an invalid credential. A request without one may still query the schema. */
async function identify(server: ServerContext): Promise<void> {
  try {
    await server.identify();
  } catch (error) {
    throw server.requestError(error);
  }
}
