import { createYoga, type Plugin } from 'graphql-yoga';
import { Hono } from 'hono';
import { type Door, openCall, type Service } from '../http/door.ts';
import { UNBUFFERED } from '../http/text-stream.ts';
import {
  createContext,
  createServerContext,
  type GraphqlContext,
  type ServerContext,
} from './context.ts';
import { readExamples } from './examples.ts';
import { useAnswerLimit } from './limits/answer-limit.ts';
import { type OperationLimits, useDocumentLimits } from './limits/document-limits.ts';
import { usePublicErrors } from './public-errors.ts';
import { useRequestBodies } from './request-bodies.ts';
import { schema } from './schema/index.ts';

/** The most that one operation may ask for, and that its answer may be. */
export type GraphqlLimits = OperationLimits & { answerBytes: number };

/** GraphQL: the schema on graphql-yoga, subscriptions over SSE, GraphiQL to explore. */
export async function createGraphql(service: Service, limits: GraphqlLimits): Promise<Door> {
  const { useCases, receiveUpload } = service;
  const examples = await readExamples();
  const yoga = createYoga<ServerContext, GraphqlContext>({
    schema,
    context: async (server) => {
      // A request with a body did that before it was read.
      await identify(server);
      return createContext(useCases, server);
    },
    plugins: [
      useRequestBodies({ identify, receiveUpload }),
      useDocumentLimits(schema, limits),
      useAnswerLimit(limits.answerBytes),
      usePublicErrors(),
      useUnbufferedStreams(),
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

  const routes: Door['routes'] = new Hono();
  routes.all('/', ({ req: { raw: request }, var: known }) =>
    yoga.fetch(
      // Yoga knows no HEAD; the server leaves the body out.
      request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request,
      createServerContext(openCall(request, known, service)),
    ),
  );
  return { path: '/graphql', routes };
}

/** A credential that is shown must be good; a request without one can still ask for the schema. */
async function identify(server: ServerContext): Promise<void> {
  try {
    await server.identify();
  } catch (error) {
    throw server.refuse(error);
  }
}

function useUnbufferedStreams(): Plugin {
  return {
    onResponse({ response: { headers } }) {
      if (!headers.get('content-type')?.startsWith('text/event-stream')) return;
      for (const [name, value] of Object.entries(UNBUFFERED)) headers.set(name, value);
    },
  };
}
