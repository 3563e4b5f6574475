import type { ErrorCode } from '../../src/core/errors.ts';
import type { Reply } from './client.ts';
import { deltasOf, parseEvents } from './events.ts';
import type { Outcome, Transport } from './transport.ts';

/** The operations over REST. */
export const restTransport: Transport = {
  upload: async (client, { datasetId, files, metadata, urls, ...numbers }) => {
    const fields = {
      ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
      ...(urls && { urls: JSON.stringify(urls) }),
      ...numbers,
    };
    return told(await client.upload(datasetId, files, fields), ({ files, billed }) => ({
      files,
      billed,
    }));
  },
  list: async (client, of) =>
    told(await client.rest('GET', `/files${query(of)}`), ({ files }) => files),
  page: async (client, { limit = 100, ...page }) =>
    told(
      await client.rest('GET', `/files${query({ limit, ...page })}`),
      ({ files, nextCursor }) => ({
        files,
        nextCursor,
      }),
    ),
  get: async (client, { fileId, ...of }) =>
    told(
      await client.rest('GET', `/files/${encodeURIComponent(fileId)}${query(of)}`),
      ({ file }) => file,
    ),
  remove: async (client, { fileId, ...of }) =>
    told(
      await client.rest('DELETE', `/files/${encodeURIComponent(fileId)}${query(of)}`),
      () => null,
    ),
  purgeDataset: async (client, datasetId) =>
    told(
      await client.rest('DELETE', `/datasets/${encodeURIComponent(datasetId)}/files`),
      ({ deleted }) => ({ deleted }),
    ),
  purgeCustomer: async (client) =>
    told(await client.rest('DELETE', '/files'), ({ deleted }) => ({ deleted })),
  search: async (client, search) =>
    told(await client.rest('POST', '/search', search), ({ data }) => data),
  answer: async (client, question) =>
    told(await client.rest('POST', '/query', { ...question, stream: false }), ({ data }) => data),
  stream: async (client, question) =>
    told(await client.rest('POST', '/query', question), (text) => {
      const events = parseEvents(text);
      return { deltas: deltasOf(events), last: Object.keys(events.at(-1) ?? {}) };
    }),
  createToken: async (client, token) =>
    told(await client.rest('POST', '/tokens/create', token), ({ token: made, expiresIn }) => ({
      token: made,
      expiresIn,
    })),
  revokeToken: async (client, tokenId) =>
    told(await client.rest('DELETE', `/tokens/${encodeURIComponent(tokenId)}`), () => null),
};

/** What came of an operation, from the reply of REST, or of a door that has its status and headers. */
export function told<T>(reply: Reply, present: (body: Reply['body']) => T): Outcome<T> {
  const { status, headers, body } = reply;
  if (status === 200) return { result: present(body) };
  const retryAfter = headers.get('retry-after');
  return {
    status,
    code: headers.get('x-error-code') as ErrorCode,
    error: body.error,
    details: body.details ?? (retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
  };
}

function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
