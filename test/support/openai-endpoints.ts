import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLexicalEmbedder } from '../../src/adapters/models/offline/lexical-embedder.ts';
import { readQuestion } from '../../src/adapters/models/offline/question.ts';
import { findSentences } from '../../src/adapters/models/offline/sentence-finder.ts';
import { refuse, send } from './openai-replies.ts';
import { type Hear, transcribe } from './openai-transcriptions.ts';

export type Endpoint = 'models' | 'embeddings' | 'chat' | 'transcriptions';

/** What the double is like. */
export interface Behaviour {
  /** The key it asks for; none when null. */
  key?: string | null;
  /** The models it has; it keeps no list when null, and then has any. */
  models?: string[] | null;
  /** Of its vectors, unless a request asks for some. */
  dimensions?: number;
  /** Makes the vector of a text; of its words unless given. */
  embed?: (text: string) => Float32Array;
  /** Whether the vector of the last text comes first. */
  backwards?: boolean;
  /** Milliseconds before each word of an answer, and before its response ends. */
  pace?: number;
  /** What it answers, in the pieces of its stream; the best sentence of the context unless given. */
  say?: string[];
  /** Why its answer ends, as the last piece says; `stop` unless given. */
  end?: string;
  /** The question of its own that it makes of a follow-up; the follow-up unless given. */
  rewrite?: string;
  /** What it hears in a recording. */
  hear?: Hear;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
type Body = any;

/** As OpenAI has them, and Azure. */
const BASE = '^/(?:v1|openai/deployments/[^/]+)';
const PATHS: [path: RegExp, endpoint: Endpoint][] = [
  [new RegExp(`${BASE}/models$`), 'models'],
  [new RegExp(`${BASE}/embeddings$`), 'embeddings'],
  [new RegExp(`${BASE}/chat/completions$`), 'chat'],
  [new RegExp(`${BASE}/audio/transcriptions$`), 'transcriptions'],
];

const MODELS = [
  ...['gpt-4.1-mini', 'text-embedding-3-small', 'text-embedding-3-large', 'text-embedding-ada-002'],
  ...['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-transcribe-diarize'],
];

export function endpointOf(path: string): Endpoint | undefined {
  return PATHS.find(([known]) => known.test(path))?.[1];
}

/** A body as JSON, or a form as an object. */
export async function readBody(bytes: Buffer, contentType: string): Promise<Body> {
  if (contentType.startsWith('multipart/')) {
    const headers = { 'content-type': contentType };
    return Object.fromEntries(await new Response(new Uint8Array(bytes), { headers }).formData());
  }
  return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}

/** Answers as OpenAI would. */
export function createAnswerer(behaviour: Behaviour) {
  const embed = behaviour.embed ?? createLexicalEmbedder();
  const endpoints: Record<Endpoint, (body: Body, response: ServerResponse) => unknown> = {
    models(_, response) {
      const { models = MODELS } = behaviour;
      if (models === null) return refuse(response, 404, { message: 'Not Found' });
      send(response, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    },

    embeddings({ model, input, dimensions, encoding_format: format }, response) {
      const texts: string[] = [input].flat();
      const length = dimensions ?? behaviour.dimensions ?? 1536;
      const data = texts.map((text, index) => {
        const vector = new Float32Array(length);
        vector.set(embed(text).subarray(0, length));
        const embedding = format === 'base64' ? base64(vector) : [...vector];
        return { object: 'embedding', index, embedding };
      });
      if (behaviour.backwards) data.reverse();
      const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
      send(response, { object: 'list', model, data, usage });
    },

    async chat({ model, messages, stream }, response) {
      const message: string = messages.at(-1).content;
      const followUp = followUpOf(message);
      const pieces = followUp
        ? [behaviour.rewrite ?? followUp]
        : (behaviour.say ?? answerOf(message).match(/\S+\s*/g) ?? []);
      if (!stream) {
        const message = { role: 'assistant', content: pieces.join('') };
        const choices = [{ index: 0, message, finish_reason: 'stop' }];
        return send(response, { id: 'chat', object: 'chat.completion', model, choices });
      }
      beginStream(response);
      writeDelta(response, { role: 'assistant', content: '' });
      for (const content of pieces) {
        if (behaviour.pace) await sleep(behaviour.pace);
        writeDelta(response, { content });
      }
      writeDelta(response, {}, behaviour.end ?? 'stop');
      response.write('data: [DONE]\n\n');
      if (behaviour.pace) await sleep(behaviour.pace);
      response.end();
    },

    transcriptions: (form, response) => transcribe(form, response, behaviour.hear),
  };

  return async (endpoint: Endpoint | undefined, body: Body, response: ServerResponse) => {
    const { models = MODELS } = behaviour;
    if (!endpoint) return refuse(response, 404, { message: 'Not Found' });
    if (body?.model && models && !models.includes(body.model)) {
      const message = `The model \`${body.model}\` does not exist or you do not have access to it.`;
      return refuse(response, 404, { message, code: 'model_not_found' });
    }
    await endpoints[endpoint](body, response);
  };
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

export function writeDelta(response: ServerResponse, delta: object, end: string | null = null) {
  const choices = [{ index: 0, delta, finish_reason: end }];
  response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices })}\n\n`);
}

function base64({ buffer }: Float32Array<ArrayBuffer>): string {
  return Buffer.from(buffer).toString('base64');
}

/** The question to rewrite, if that is what a message asks for. */
function followUpOf(message: string): string | undefined {
  const [, last] = /^Conversation:\n\n.*\n\nLast question:\n\n(.*)$/s.exec(message) ?? [];
  return last && JSON.parse(last).content;
}

/** The best sentence of the context that comes with the question. */
function answerOf(message: string): string {
  const [, context = '', question = ''] =
    /^Context:\n\n(.*?)(?:\n\nConversation:\n\n.*)?\n\nQuestion: (.*)$/s.exec(message) ?? [];
  const documents = context.matchAll(
    /^Document \d+ \(score [-\d.]+, file (.*?)(?:, heading (.*?))?(?:, (?:page|slide|sheet|row|time) .*?)?\):\n(.*?)(?=\n\nDocument \d+ \(score|$(?![\s\S]))/gms,
  );
  const passages = [...documents].map(([, file = '', heading = '', text = '']) => ({
    file,
    heading,
    text,
  }));
  const asked = readQuestion(question);
  const weights = asked.terms.map(({ weight }) => weight);
  const [best] = findSentences(asked, weights, passages);
  return best ? `${best.sentence.text} (${best.file})` : 'I do not know.';
}
