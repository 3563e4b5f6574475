import type { SearchHit } from '../../src/core/model.ts';
import type { Client, Reply } from './client.ts';
import { restTransport, told } from './rest-transport.ts';
import type { Question, Transport } from './transport.ts';

/* The protocols of chats only ask; whatever else a test does goes over REST. */

/** Questions over OpenAI's protocol. */
export const openaiTransport: Transport = {
  ...restTransport,
  answer: async (client, question) =>
    told(await askOpenai(client, question), ({ choices, sources }) => ({
      result: choices[0].message.content,
      sources: sources.map(presentSource),
    })),
  stream: async (client, question) =>
    told(await askOpenai(client, question, { stream: true }), (text) => {
      const chunks = dataOf(text);
      const isDone = chunks.at(-1) === '[DONE]';
      const deltas = chunks.flatMap((chunk) => chunk.choices?.[0]?.delta.content || []);
      return { deltas, last: [isDone ? 'done' : Object.keys(chunks.at(-1) ?? {})[0]] };
    }),
};

/** Questions over the protocol of the AI SDK, which always streams. */
export const aiSdkTransport: Transport = {
  ...restTransport,
  answer: async (client, question) =>
    told(await askAiSdk(client, question), (text) => {
      const parts = dataOf(text);
      const sources = parts.filter(({ type }) => type === 'source-document');
      return {
        result: deltasOf(parts).join(''),
        sources: sources.map(({ providerMetadata }) => presentSource(providerMetadata.filequery)),
      };
    }),
  stream: async (client, question) =>
    told(await askAiSdk(client, question), (text) => {
      const parts = dataOf(text);
      const { type } = parts.at(-2) ?? {};
      return { deltas: deltasOf(parts), last: [type === 'finish' ? 'done' : type] };
    }),
};

type Data = Reply['body'];

async function askOpenai(
  client: Client,
  { datasetId, question, filters }: Question,
  options: object = {},
): Promise<Reply> {
  const reply = await client.rest('POST', '/chat/completions', {
    model: datasetId ?? 'filequery',
    messages: [{ role: 'user', content: question }],
    filters,
    ...options,
  });
  if (reply.status === 200) return reply;
  const { message, details } = reply.body.error;
  return { ...reply, body: { error: withoutAdvice(message), details } };
}

function askAiSdk(client: Client, { question, ...rest }: Question): Promise<Reply> {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: question }] }];
  return client.rest('POST', '/chat', { ...rest, messages });
}

/** The text of the error as other transports have it: they tell the rest in fields of their own. */
export function withoutAdvice(message: string): string {
  return message.replace(/: (try again in \d+ s|This costs .*)$/, '');
}

/** The data of the messages of an event stream, read as JSON where they are. */
export function dataOf(stream: string): Data[] {
  return Array.from(stream.matchAll(/^data: (.*)$/gm), ([, data = '']) =>
    data.startsWith('{') ? JSON.parse(data) : data,
  );
}

function deltasOf(parts: Data[]): string[] {
  return parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : []));
}

function presentSource({ pageContent, metadata }: SearchHit) {
  return { pageContent, metadata };
}
