import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import {
  AnswerQuestionDocument,
  type AnswerQuestionMutationVariables,
  CreateTokenDocument,
  DeleteFileDocument,
  type FilterInput,
  PurgeCustomerDocument,
  PurgeDatasetDocument,
  RevokeTokenDocument,
  SearchDocument,
  type SearchMode,
  type SearchQueryVariables,
  type TokenPermission,
} from '../../src/generated/graphql.ts';
import type { Client, GraphqlReply, Reply } from './client.ts';
import { askOverSse, multipart, type StreamEvent, sendForm } from './graphql.ts';
import type { Failure, Outcome, Transport } from './transport.ts';

const FILE_FIELDS = `customerId datasetId fileId filePath originalName mimeType size loaderId
  created: createdAt extension transcriptionText transcriptionSrt { id: number startTime endTime text } extraMeta`;

/** The operations over GraphQL. */
export const graphqlTransport: Transport = {
  upload: async (client, { files, ...variables }) => {
    const entries = Object.entries(files);
    const document = `
      mutation ($datasetId: ID, $files: [Upload!], $urls: [String!], $metadata: JSON, $chunkSize: Int, $chunkOverlap: Int) {
        uploadFiles(input: { datasetId: $datasetId, files: $files, urls: $urls, metadata: $metadata,
                             chunkSize: $chunkSize, chunkOverlap: $chunkOverlap }) {
          files { ${FILE_FIELDS} } billed { fileCount uploadUnits }
        }
      }`;
    const parts = entries.map(([name, content], at) => ({
      name,
      content,
      places: [`variables.files.${at}`],
    }));
    const form = multipart(document, { ...variables, files: entries.map(() => null) }, parts);
    return answered(await sendForm<Reply['body']>(client, form), ({ uploadFiles }) => {
      const { fileCount, uploadUnits } = uploadFiles.billed;
      return { ...uploadFiles, billed: { fileCount, uploadUnits: Number(uploadUnits) } };
    });
  },
  list: async (client, of) =>
    answered(
      await ask(
        client,
        `query ($datasetId: ID) { files(datasetId: $datasetId) { nodes { ${FILE_FIELDS} } } }`,
        of,
      ),
      ({ files }) => files.nodes,
    ),
  page: async (client, { limit, ...page }) =>
    answered(
      await ask(
        client,
        `query ($datasetId: ID, $first: Int, $cursor: String) {
          files(datasetId: $datasetId, first: $first, after: $cursor) {
            nodes { ${FILE_FIELDS} } pageInfo { hasNextPage endCursor }
          }
        }`,
        { first: limit, ...page },
      ),
      ({ files: { nodes, pageInfo } }) => ({
        files: nodes,
        nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      }),
    ),
  get: async (client, file) => {
    const reply = await ask(
      client,
      `query ($datasetId: ID, $fileId: ID!) {
        file(datasetId: $datasetId, fileId: $fileId) { ${FILE_FIELDS} permanentUrl }
      }`,
      file,
    );
    const isNull = reply.errors.length === 0 && reply.data.file === null;
    return isNull
      ? failure('FILE_NOT_FOUND', 'File not found')
      : answered(reply, (data) => data.file);
  },
  remove: async (client, file) => answered(await ask(client, DeleteFileDocument, file), () => null),
  purgeDataset: async (client, purgeDatasetId) =>
    answered(
      await ask(client, PurgeDatasetDocument, { purgeDatasetId }),
      ({ purgeDataset: { deleted } }) => ({ deleted }),
    ),
  purgeCustomer: async (client) =>
    answered(await ask(client, PurgeCustomerDocument, {}), ({ purgeCustomer: { deleted } }) => ({
      deleted,
    })),
  search: async (client, { mode, ...search }) =>
    answered(
      await ask(client, SearchDocument, {
        ...(search as SearchQueryVariables),
        mode: mode?.toUpperCase() as SearchMode,
      }),
      (data) =>
        (data.search ?? []).map(({ score, pageContent, metadata }) => ({
          score,
          pageContent,
          metadata,
        })),
    ),
  answer: async (client, question) =>
    answered(
      await ask(client, AnswerQuestionDocument, question as AnswerQuestionMutationVariables),
      ({ answerQuestion }) => ({
        result: answerQuestion.result,
        sources: answerQuestion.sources.map(({ pageContent, metadata }) => ({
          pageContent,
          metadata,
        })),
      }),
    ),
  stream: async (client, question) => {
    const { events } = await askOverSse(client, question);
    const [first] = events;
    const errors = first?.data.errors;
    if (errors) return answered({ errors, data: null }, () => null);
    const deltas = events.flatMap(deltaOf);
    return { result: { deltas, last: [isCompleted(events.at(-2)) ? 'done' : 'error'] } };
  },
  createToken: async (client, { datasetId: tokenDatasetId, permissions, filters, ...token }) =>
    answered(
      await ask(client, CreateTokenDocument, {
        tokenDatasetId,
        permissions: permissions as TokenPermission[],
        filters: filters as FilterInput[],
        ...token,
      }),
      ({ createToken: { token: made, expiresIn } }) => ({ token: made, expiresIn }),
    ),
  revokeToken: async (client, tokenId) =>
    answered(await ask(client, RevokeTokenDocument, { tokenId }), () => null),
};

function answered<D, T>(
  { data, errors }: Pick<GraphqlReply<D>, 'data' | 'errors'>,
  present: (data: D) => T,
): Outcome<T> {
  const [error] = errors;
  if (!error) return { result: present(data) };
  const { code, ...extensions } = error.extensions;
  return failure(code, error.message, extensions);
}

function failure(code: ErrorCode, error: string, extensions: object = {}): Failure {
  const numbers = Object.entries(extensions).filter(([, fact]) => typeof fact === 'number');
  return { status: ERRORS[code].status, code, error, details: Object.fromEntries(numbers) };
}

function ask<T = Reply['body'], V = object>(
  client: Client,
  document: TypedDocumentNode<T, V> | string,
  variables: NoInfer<V>,
): Promise<GraphqlReply<T>> {
  const send = client.graphql as (
    document: TypedDocumentNode<T, V> | string,
    variables: V,
  ) => Promise<GraphqlReply<T>>;
  return send(document, variables);
}

function deltaOf({ data }: StreamEvent): string[] {
  const event = data.data?.askQuestion;
  return event && 'delta' in event ? [event.delta] : [];
}

function isCompleted(event: StreamEvent | undefined): boolean {
  const asked = event?.data.data?.askQuestion;
  return asked !== undefined && 'result' in asked;
}
