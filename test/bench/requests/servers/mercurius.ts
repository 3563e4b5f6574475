import { registerHooks } from 'node:module';
import fastify from 'fastify';
import type { IResolvers, MercuriusContext } from 'mercurius';
import { serveWhenAsked } from '../processes.ts';
import { createByHand } from './by-hand.ts';

/* The same part of our schema on mercurius, its resolvers by hand. */

const SCHEMA = `
  scalar JSON
  type File {
    customerId: ID!, datasetId: ID!, fileId: ID!, filePath: String!, originalName: String!
    mimeType: String, size: Float, loaderId: ID!, createdAt: String!, extension: String!
    extraMeta: JSON
  }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type FileEdge { node: File!, cursor: String! }
  type FileConnection { edges: [FileEdge!]!, nodes: [File!]!, pageInfo: PageInfo! }
  type SearchHit { score: Float!, pageContent: String!, metadata: JSON! }
  type Answer { result: String!, sources: [SearchHit!]! }
  input AskQuestionInput { datasetId: ID, question: String! }
  type Query { files(datasetId: ID, first: Int, after: String): FileConnection! }
  type Mutation { answerQuestion(input: AskQuestionInput!): Answer! }
`;

// It does not run on graphql 17.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^graphql(?=\/|$)/, 'graphql-16'), context),
});
const { default: mercurius } = await import('mercurius');

serveWhenAsked(async (setup) => {
  const byHand = await createByHand(setup);
  const resolvers: IResolvers = {
    File: { createdAt: ({ created }: { created: string }) => created },
    Query: {
      async files(_, { datasetId, first }: { datasetId: string; first: number }, context) {
        const files = await byHand.listFiles(await customerOf(context), datasetId, first + 1);
        const hasNextPage = files.length > first;
        const nodes = files.slice(0, first);
        const edges = nodes.map((node) => ({ node, cursor: cursorOf(node) }));
        const endCursor = edges.at(-1)?.cursor ?? null;
        return { edges, nodes, pageInfo: { hasNextPage, endCursor } };
      },
    },
    Mutation: {
      async answerQuestion(
        _,
        { input: { datasetId, question } }: { input: { datasetId: string; question: string } },
        context,
      ) {
        const customer = await customerOf(context);
        await byHand.charge(customer, 0.1);
        const sources = await byHand.search(customer, datasetId, question);
        const result = (await Array.fromAsync(byHand.answer(question, sources))).join('');
        return { result, sources };
      },
    },
  };
  const app = fastify();
  app.register(mercurius, { schema: SCHEMA, resolvers });
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }) };

  function customerOf({ reply }: MercuriusContext) {
    return byHand.authenticate(reply.request.headers.authorization);
  }
});

function cursorOf({ created, fileId }: { created: string; fileId: string }): string {
  return Buffer.from(`${Date.parse(created)}:${fileId}`).toString('base64url');
}
