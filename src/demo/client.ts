import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';

/** The gateways to call, and the credential. Several gateways must share one database. */
export interface DemoTarget {
  urls: string[];
  credential: string;
}

/** An HTTP client for the demo. Every failure is thrown as an error. */
export function createDemoClient({ urls, credential }: DemoTarget) {
  let turn = 0;
  return { rest, answers, graphql, subscribe, upload };

  /** Calls REST /v1 and returns the JSON body. */
  async function rest<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await send(method, `/v1${path}`, body);
    return (await response.json()) as T;
  }

  /** Calls POST /v1/query and yields the deltas of the answer. */
  async function* answers(body: object): AsyncGenerator<string> {
    const response = await send('POST', '/v1/query', body);
    for await (const { data } of readEvents(response)) {
      const event = JSON.parse(data) as { delta?: string; error?: string };
      if (event.error) throw new Error(event.error);
      if (event.delta) yield event.delta;
    }
  }

  async function graphql<T, V>(document: TypedDocumentNode<T, V>, variables: V): Promise<T> {
    const query = print(document);
    const response = await send('POST', '/graphql', { query, variables });
    return readResult<T>(await response.text());
  }

  async function* subscribe<T, V>(
    document: TypedDocumentNode<T, V>,
    variables: V,
  ): AsyncGenerator<T> {
    const body = { query: print(document), variables };
    const response = await send('POST', '/graphql', body, { accept: 'text/event-stream' });
    for await (const { event, data } of readEvents(response)) {
      if (event === 'next') yield readResult<T>(data);
    }
  }

  /** Sends a GraphQL multipart request with `files` as the variable `files`. */
  async function upload<T, V>(
    document: TypedDocumentNode<T, V>,
    variables: Omit<V, 'files'>,
    files: File[],
  ): Promise<T> {
    const form = new FormData();
    const operation = {
      query: print(document),
      variables: { ...variables, files: files.map(() => null) },
    };
    form.set('operations', JSON.stringify(operation));
    form.set(
      'map',
      JSON.stringify(Object.fromEntries(files.map((_, at) => [at, [`variables.files.${at}`]]))),
    );
    for (const [at, file] of files.entries()) form.set(String(at), file);
    const response = await send('POST', '/graphql', form);
    return readResult<T>(await response.text());
  }

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const url = `${urls[turn++ % urls.length]}${path}`;
    const isForm = body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isForm || body === undefined ? body : JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}

function readResult<T>(text: string): T {
  const { data, errors } = JSON.parse(text) as { data: T; errors?: { message: string }[] };
  if (errors?.[0]) throw new Error(errors[0].message);
  return data;
}

/** Reads the messages of a Server-Sent Events stream. */
async function* readEvents(response: Response): AsyncGenerator<{ event: string; data: string }> {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = (text + piece).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(message)?.[1] ?? '';
      if (field('data') !== '') yield { event: field('event'), data: field('data') };
    }
  }
}
