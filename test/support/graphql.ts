import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import {
  AskQuestionDocument,
  type AskQuestionSubscription,
  type OnDuplicate,
  StartUploadDocument,
  type StartUploadMutation,
  UploadFilesDocument,
  type UploadFilesMutation,
} from '../../src/generated/graphql.ts';
import type { Client, GraphqlReply } from './client.ts';

type Document = TypedDocumentNode<unknown, never> | string;

/** What a multipart request brings: each file with the places among the variables where it goes. */
export interface MultipartFile {
  name: string;
  content: string | Blob;
  places: string[];
}

/** A GraphQL multipart request; the variables have null where files go. */
export function multipart(
  document: Document,
  variables: Record<string, unknown>,
  files: MultipartFile[],
): FormData {
  const query = typeof document === 'string' ? document : print(document);
  return multipartForm({
    operations: JSON.stringify({ query, variables }),
    map: JSON.stringify(Object.fromEntries(files.map(({ places }, at) => [at, places]))),
    files,
  });
}

/** The same with fields as they are, right or wrong; `undefined` leaves one out. */
export function multipartForm(parts: {
  operations?: string;
  map?: string;
  files: Pick<MultipartFile, 'name' | 'content'>[];
}): FormData {
  const form = new FormData();
  if (parts.operations !== undefined) form.set('operations', parts.operations);
  if (parts.map !== undefined) form.set('map', parts.map);
  for (const [at, { name, content }] of parts.files.entries()) {
    form.set(String(at), content instanceof Blob ? content : new Blob([content]), name);
  }
  return form;
}

/** Sends a form to the GraphQL transport. */
export async function sendForm<T>(
  client: Client,
  form: FormData,
  init: RequestInit = {},
): Promise<GraphqlReply<T>> {
  const response = await client.raw('POST', '/graphql', form, init);
  const body = await response.json();
  const { status, headers } = response;
  return { status, headers, body, data: body.data, errors: body.errors ?? [] };
}

/** `uploadFiles` of texts by file name. */
export function uploadOverGraphql(
  client: Client,
  datasetId: string | undefined,
  files: Record<string, string | Blob>,
  more: { metadata?: unknown; chunkSize?: number; chunkOverlap?: number } = {},
): Promise<GraphqlReply<UploadFilesMutation>> {
  const entries = Object.entries(files);
  const variables = { datasetId, files: entries.map(() => null), ...more };
  const parts = entries.map(([name, content], at) => ({
    name,
    content,
    places: [`variables.files.${at}`],
  }));
  return sendForm(client, multipart(UploadFilesDocument, variables, parts));
}

/** `startUpload` of texts by file name. */
export function startUpload(
  client: Client,
  datasetId: string,
  files: Record<string, string | Blob>,
  more: { idempotencyKey?: string; onDuplicate?: OnDuplicate } = {},
): Promise<GraphqlReply<StartUploadMutation>> {
  const entries = Object.entries(files);
  const parts = entries.map(([name, content], at) => ({
    name,
    content,
    places: [`variables.files.${at}`],
  }));
  const variables = { datasetId, files: entries.map(() => null), ...more };
  return sendForm(client, multipart(StartUploadDocument, variables, parts));
}

/** An event of a stream: `next` with a result, or `complete`. */
export interface StreamEvent {
  event: string;
  data: { data?: AskQuestionSubscription | null; errors?: GraphqlReply<unknown>['errors'] };
}

/** Asks by subscription and reads the stream to its end. */
export async function askOverSse(
  client: Client,
  variables: { datasetId?: string; question: string },
): Promise<{ status: number; headers: Headers; events: StreamEvent[] }> {
  const body = { query: print(AskQuestionDocument), variables };
  const response = await client.raw('POST', '/graphql', body, {
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
  });
  const { status, headers } = response;
  return { status, headers, events: parseEvents(await response.text()) };
}

/** The answer that a stream's deltas make. */
export function answerOf(events: StreamEvent[]): string {
  return events
    .map(({ data }) => data.data?.askQuestion)
    .map((event) => (event && 'delta' in event ? event.delta : ''))
    .join('');
}

function parseEvents(text: string): StreamEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const [, event] = /^event: (.*)$/m.exec(block) ?? [];
    const [, data] = /^data: (.+)$/m.exec(block) ?? [];
    return event ? [{ event, data: data ? JSON.parse(data) : {} }] : [];
  });
}
