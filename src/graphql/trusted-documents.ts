import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, parse, validate } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { AppError, ConfigurationError } from '../core/errors.ts';
import { isJsonObject } from '../core/is-json-object.ts';
import { reasonOf } from '../core/reason-of.ts';
import type { ServerContext } from './context.ts';

/** Documents that a request can name instead of sending them. */
export interface TrustedDocuments {
  /** Texts by their ids, which are usually hashes of them. */
  texts: ReadonlyMap<string, string>;
  /** Whether other documents are refused. */
  only: boolean;
}

/**
 * Finds the document that a request names: by `documentId`, or by the hash of a persisted query in
 * Apollo's form. Members of a request that GraphQL over HTTP does not define are dropped.
 *
 * @param trusted `undefined` when there are none
 */
export function useTrustedDocuments(
  trusted: TrustedDocuments | undefined,
): Plugin<object, ServerContext> {
  const known = new Set(trusted?.texts.values());
  return {
    onParams({ request, params, setParams, context: { requestError } }) {
      const { query, variables, operationName, extensions } = params;
      const id = idOf(request, params);
      const text = id === undefined ? undefined : trusted?.texts.get(id);
      if (text === undefined) {
        const isSent = query !== undefined && query !== null;
        if (!isSent && id !== undefined) {
          const code = trusted ? 'PERSISTED_QUERY_NOT_FOUND' : 'PERSISTED_QUERY_NOT_SUPPORTED';
          throw requestError(new AppError(code));
        }
        if (isSent && trusted?.only && !known.has(query)) {
          throw requestError(new AppError('DOCUMENT_NOT_TRUSTED'));
        }
      }
      const document = text ?? query;
      // Without a document, an unknown member name is probably misspelt: Yoga reports it.
      if (!document) return;
      setParams({
        query: document,
        ...(variables !== undefined && { variables }),
        ...(operationName !== undefined && { operationName }),
        ...(extensions !== undefined && { extensions }),
      });
    },
  };
}

/**
 * Reads documents from a JSON file, an object with their texts by their ids, as the compilers of
 * Relay and GraphQL Code Generator write it.
 *
 * @throws ConfigurationError when it cannot be read, or a document is not valid for the schema
 */
export async function readTrustedDocuments(
  path: string,
  schema: GraphQLSchema,
): Promise<ReadonlyMap<string, string>> {
  const content = await readJsonFile(path);
  const texts = new Map<string, string>();
  for (const [id, text] of Object.entries(content)) {
    if (typeof text !== 'string') fail(`the document ${id} must be a string`);
    const problem = problemOf(text, schema);
    if (problem !== undefined) fail(`the document ${id} does not fit the schema: ${problem}`);
    texts.set(withoutKind(id), text);
  }
  return texts;
}

function idOf(request: Request, params: GraphQLParams & { documentId?: unknown }) {
  const { documentId, extensions } = params;
  const named =
    documentId ??
    extensions?.['persistedQuery']?.sha256Hash ??
    (request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : undefined);
  return typeof named === 'string' ? withoutKind(named) : undefined;
}

/** The draft of GraphQL over HTTP puts the kind of hash before it. */
function withoutKind(id: string): string {
  return id.replace(/^sha256:/, '');
}

async function readJsonFile(path: string): Promise<object> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (isJsonObject(value)) return value;
  } catch (error) {
    fail(`${path} cannot be read: ${reasonOf(error)}`);
  }
  return fail(`${path} must contain a JSON object`);
}

function problemOf(text: string, schema: GraphQLSchema): string | undefined {
  try {
    return validate(schema, parse(text))[0]?.message;
  } catch (error) {
    return reasonOf(error);
  }
}

function fail(reason: string): never {
  throw new ConfigurationError(`TRUSTED_DOCUMENTS: ${reason}`);
}
