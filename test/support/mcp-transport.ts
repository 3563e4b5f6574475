import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { dataOf, withoutAdvice } from './chat-transports.ts';
import type { Client, Reply } from './client.ts';
import { restTransport } from './rest-transport.ts';
import type { Outcome, ShownHit, Transport } from './transport.ts';

/* Tools of the Model Context Protocol, called without a handshake; whatever else a test does goes over REST. */

export const mcpTransport: Transport = {
  ...restTransport,
  list: async (client, { datasetId }) =>
    told(await call(client, 'list_files', datasetId), ({ files }) => files.map(toFile)),
  page: async (client, { datasetId, ...page }) =>
    told(await call(client, 'list_files', datasetId, page), ({ files, nextCursor = null }) => ({
      files: files.map(toFile),
      nextCursor,
    })),
  get: async (client, { datasetId, fileId }) =>
    told(await call(client, 'fetch', datasetId, { id: fileId }), (file) => ({
      ...toFile(file),
      permanentUrl: file.url,
    })),
  // The default of the tool is another mode than that of REST.
  search: async (client, { datasetId, question, ...search }) =>
    told(
      await call(client, 'search', datasetId, { query: question, mode: 'vector', ...search }),
      ({ results }) =>
        results.flatMap(({ passages, ...file }: Data) =>
          passages.map((passage: Data) => ({ ...toHit(file, passage), score: passage.score })),
        ),
    ),
  answer: async (client, { datasetId, ...question }) =>
    told(await call(client, 'ask', datasetId, question), ({ answer, sources }) => ({
      result: answer,
      sources: sources.map((source: Data) => toHit(source, source)),
    })),
};

/** What both REST and the tools show of an outcome. */
export function asTools(outcome: Outcome): Outcome {
  if (!('result' in outcome)) return outcome;
  const { result } = outcome as { result: Data };
  if (Array.isArray(result)) return { result: result.map(shared) };
  if (result.files) return { result: { ...result, files: result.files.map(shared) } };
  if (result.sources) return { result: { ...result, sources: result.sources.map(shared) } };
  return { result: shared(result) };
}

function shared({ pageContent, metadata, score, ...file }: Data): object {
  if (pageContent === undefined) {
    const { fileId, originalName, datasetId, mimeType, size, created, extraMeta } = file;
    const link = file.permanentUrl && { permanentUrl: file.permanentUrl };
    return { fileId, originalName, datasetId, mimeType, size, created, extraMeta, ...link };
  }
  const { fileId, originalName } = metadata;
  return { pageContent, metadata: { fileId, originalName }, ...(score !== undefined && { score }) };
}

function toFile({ id, title, metadata }: Data): Data {
  return { fileId: id, originalName: title, ...metadata };
}

function toHit({ id, title }: Data, { text }: Data): ShownHit {
  return { pageContent: text, metadata: { fileId: id, originalName: title } };
}

type Data = Reply['body'];

/** Calls a tool; a dataset is named in the address. */
async function call(
  client: Client,
  name: string,
  datasetId: string | undefined,
  args: object = {},
): Promise<Reply> {
  const query = datasetId === undefined ? '' : `?${new URLSearchParams({ datasetId })}`;
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const response = await client.raw('POST', `/mcp${query}`, request, { headers });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.includes('event-stream');
  const [body] = isStream ? dataOf(text).slice(-1) : [JSON.parse(text)];
  return { status: response.status, headers: response.headers, body };
}

function told<T>({ status, body }: Reply, present: (data: Data) => T): Outcome<T> {
  if (status !== 200) return failure(body.error.data, body.error.message);
  const { structuredContent, isError, content, _meta } = body.result;
  if (!isError) return { result: present(structuredContent) };
  const [{ text }] = content;
  // The schema of a tool demands it, so that models know; other transports leave it to the operation.
  if (/for tool (search|ask): datasetId: datasetId is required$/.test(text)) {
    return failure({ code: 'DATASET_AND_QUESTION_REQUIRED' });
  }
  if (/datasetId: datasetId is required$/.test(text)) {
    return failure({ code: 'DATASET_REQUIRED_IN_QUERY' });
  }
  return failure(_meta['filequery/error'], text);
}

function failure({ code, details }: Data, text = String(ERRORS[code as ErrorCode].text)) {
  const numbers = Object.entries(details ?? {}).filter(([, fact]) => typeof fact === 'number');
  return {
    status: ERRORS[code as ErrorCode].status,
    code,
    error: withoutAdvice(text),
    details: Object.fromEntries(numbers) as Record<string, number>,
  };
}
