import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import type { TestGateway } from './gateway.ts';
import type { Reply } from './reply.ts';
import { checkReply } from './rest-document.ts';

export type { Reply };

export interface GraphqlReply<T> extends Reply {
  data: T;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, any> }[];
}

/** A caller of both transports, with one credential or none. */
export function createClient({ fetch }: Pick<TestGateway, 'fetch'>, credential?: string) {
  return {
    credential,
    fetch,
    rest,
    raw,
    graphql,

    /** POST /v1/files/upload of texts by file name. */
    upload(datasetId: string | undefined, files: Record<string, string | Blob>, fields = {}) {
      const form = new FormData();
      if (datasetId !== undefined) form.set('datasetId', datasetId);
      for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
      for (const [name, content] of Object.entries(files)) {
        form.append('file', content instanceof Blob ? content : new Blob([content]), name);
      }
      return rest('POST', '/files/upload', form);
    },
  };

  /** @throws Error when the reply is not as the OpenAPI document says */
  async function rest(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await raw(method, `/v1${path}`, body);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const { status, headers } = response;
    const reply = { status, headers, body: isJson ? JSON.parse(text) : text };
    checkReply(method, path, reply);
    return reply;
  }

  /** A string is sent as it is, a form as a form, anything else as JSON. */
  async function raw(
    method: string,
    path: string,
    body?: unknown,
    init: RequestInit = {},
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    if (credential !== undefined) headers.set('authorization', `Bearer ${credential}`);
    // As bytes: the stream of a form throws into the void when it is not read to its end.
    const form = body instanceof FormData ? new Response(body) : undefined;
    if (body !== undefined && !headers.has('content-type')) {
      headers.set('content-type', form?.headers.get('content-type') ?? 'application/json');
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(
      new Request(`http://filequery.test${path}`, {
        ...init,
        method,
        headers,
        body: form ? await form.arrayBuffer() : text,
      }),
    );
  }

  async function graphql<T = Reply['body'], V = Record<string, never>>(
    document: TypedDocumentNode<T, V> | string,
    ...[variables]: V extends Record<string, never> ? [] : [variables: V]
  ): Promise<GraphqlReply<T>> {
    const query = typeof document === 'string' ? document : print(document);
    const response = await raw('POST', '/graphql', { query, variables });
    const body = await response.json();
    const { status, headers } = response;
    return { status, headers, body, data: body.data, errors: body.errors ?? [] };
  }
}

export type Client = ReturnType<typeof createClient>;

/** A new customer of a gateway, with a key that calls. */
export async function newCustomer(
  gateway: TestGateway,
  credits: string | null = null,
): Promise<Client & { customerId: string; apiKey: string }> {
  const { customerId, apiKey } = await gateway.admin.createCustomer({ name: 'test', credits });
  return { ...createClient(gateway, apiKey), customerId, apiKey };
}
