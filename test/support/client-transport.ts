import {
  createClient,
  FilequeryError,
  type Filter,
  type SearchOptions,
  type TokenOptions,
  type Client as TypedClient,
} from '../../src/client/index.ts';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import type { Client } from './client.ts';
import { restTransport } from './rest-transport.ts';
import type { Outcome, Transport } from './transport.ts';

/** The operations by `filequery/client`. It has no purges, and its answers are streams: these go over REST. */
export const clientTransport: Transport = {
  ...restTransport,
  upload: (client, { files, metadata, ...options }) =>
    told(async () => {
      const sent = Object.entries(files).map(([name, content]) => new File([content], name));
      const about = metadata as Record<string, Record<string, unknown>>;
      const uploaded = await connect(client).upload(sent, { metadata: about, ...options });
      return { files: uploaded.files, billed: uploaded.billed };
    }),
  list: (client, of) =>
    told(() => Array.fromAsync(connect(client).list({ ...of, pageSize: 1000 }))),
  get: (client, { fileId, ...of }) => told(() => connect(client).get(fileId, of)),
  remove: (client, { fileId, ...of }) =>
    told(async () => {
      await connect(client).delete(fileId, of);
      return null;
    }),
  search: (client, { question, mode, filters, ...search }) =>
    told(() =>
      connect(client).search(question, {
        ...search,
        mode: mode as SearchOptions['mode'],
        filters: filters as Filter[],
      }),
    ),
  answer: (client, { question, filters, ...options }) =>
    told(async () => {
      const asked = { ...options, filters: filters as Filter[] };
      const events = await Array.fromAsync(connect(client).ask(question, asked));
      const [first, last] = [events[0], events.at(-1)];
      const sources = first?.type === 'sources' ? first.sources : [];
      return {
        result: last?.type === 'completed' && last.result,
        sources: sources.map(({ pageContent, metadata }) => ({ pageContent, metadata })),
      };
    }),
  createToken: (client, token) => told(() => connect(client).createToken(token as TokenOptions)),
};

function connect({ credential = '', fetch }: Client): TypedClient {
  return createClient({
    url: 'http://filequery.test',
    credential,
    retries: 0,
    fetch: async (url, init) => fetch(new Request(url, init)),
  });
}

async function told<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof FilequeryError)) throw error;
    const { code, status, message, details } = error;
    const numbers = Object.entries(details).filter(([, fact]) => typeof fact === 'number');
    return {
      status: status ?? ERRORS[code as ErrorCode].status,
      code: code as ErrorCode,
      error: message,
      details: Object.fromEntries(numbers) as Record<string, number>,
    };
  }
}
