import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ChatOpenAICompletions } from '@langchain/openai';
import { createParser } from 'eventsource-parser';
import { OpenAI } from 'openai';
import { StreamedResponse } from './http-fetch.ts';

type Chunk = OpenAI.ChatCompletionChunk;
type StreamingRequest = OpenAI.ChatCompletionCreateParamsStreaming;
type Request = StreamingRequest | OpenAI.ChatCompletionCreateParamsNonStreaming;

/**
 * LangChain's completions, which read a streamed answer themselves: the stream of OpenAI's client passes
 * each piece through six generators, which is half of the work for a piece.
 */
export class StreamedCompletions extends ChatOpenAICompletions {
  override completionWithRetry(
    request: StreamingRequest,
    options?: OpenAI.RequestOptions,
  ): Promise<AsyncIterable<Chunk>>;
  override completionWithRetry(
    request: OpenAI.ChatCompletionCreateParamsNonStreaming,
    options?: OpenAI.RequestOptions,
  ): Promise<OpenAI.ChatCompletion>;
  override completionWithRetry(
    request: Request,
    options?: OpenAI.RequestOptions,
  ): Promise<AsyncIterable<Chunk> | OpenAI.ChatCompletion> {
    if (!request.stream) return super.completionWithRetry(request, options);
    return this.#stream(request, options);
  }

  async #stream(request: StreamingRequest, options?: OpenAI.RequestOptions) {
    // It makes the client, too.
    const clientOptions = this._getClientOptions(options);
    const response = await this.client.chat.completions.create(request, clientOptions).asResponse();
    // LangChain keeps them in memory until the end of the answer.
    request.messages.length = 0;
    return readChunks(response);
  }
}

/**
 * The pieces of a streamed answer; texts that arrive together are one. Ends the request when the reader
 * stops.
 *
 * @throws APIError for an error that the server sends, SyntaxError for a piece that is not JSON
 */
async function* readChunks(response: Response): AsyncGenerator<Chunk, void, undefined> {
  let received: string[] = [];
  let isComplete = false;
  const parser = createParser({ onEvent: ({ data }) => received.push(data) });
  const take = (text: string) => {
    received = [];
    parser.feed(text);
    isComplete = received.includes(LAST_EVENT);
    return joinTexts(received, response.headers);
  };
  const decoder = new TextDecoder();
  const body = bodyOf(response);
  try {
    for await (const bytes of body.iterator({ destroyOnReturn: false })) {
      // `yield*` would wait several times for each piece.
      for (const chunk of take(decoder.decode(bytes, { stream: true }))) yield chunk;
      if (isComplete) return;
    }
    // Some servers leave out the blank line behind the last piece.
    for (const chunk of take(`${decoder.decode()}\n\n`)) yield chunk;
  } finally {
    if (isComplete) drain(body);
    else body.destroy();
  }
}

function bodyOf(response: Response): Readable {
  if (response instanceof StreamedResponse) return response.incoming;
  return response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
}

/** Reads to the end of a response, so that its connection serves the next request, or closes it soon. */
function drain(body: Readable): void {
  const late = setTimeout(() => body.destroy(), DRAIN_MS).unref();
  body.on('error', () => {});
  body.on('close', () => clearTimeout(late)).resume();
}

const LAST_EVENT = '[DONE]';
/** How long a server may take to end its response after the last event, in milliseconds. */
const DRAIN_MS = 1000;

/** The chunks up to the last event, or to the first that is not a chunk: its error comes after the others. */
function* joinTexts(events: string[], headers: Headers): Generator<Chunk, void, undefined> {
  const chunks: Chunk[] = [];
  try {
    for (const event of events) {
      if (event === LAST_EVENT) break;
      const chunk = readChunk(event, headers);
      const [before, next] = [textOf(chunks.at(-1)), textOf(chunk)];
      if (before && next) before.content += next.content;
      else chunks.push(chunk);
    }
  } catch (error) {
    yield* chunks;
    throw error;
  }
  yield* chunks;
}

/** The delta of a chunk that has nothing but text. */
function textOf(chunk: Chunk | undefined): { content: string } | undefined {
  const [choice, ...others] = chunk?.choices ?? [];
  if (!choice?.delta || others.length > 0 || choice.finish_reason || chunk?.usage) return undefined;
  const { delta } = choice;
  return Object.keys(delta).length === 1 && hasContent(delta) ? delta : undefined;
}

function hasContent(delta: object): delta is { content: string } {
  return 'content' in delta && typeof delta.content === 'string';
}

function readChunk(text: string, headers: Headers): Chunk {
  const chunk: Chunk & { error?: object } = parse(text);
  if (chunk.error) throw new OpenAI.APIError(undefined, chunk.error, undefined, headers);
  return chunk;
}

function parse(text: string): Chunk {
  try {
    return JSON.parse(text);
  } catch {
    // The text may come from the user.
    throw new SyntaxError('Error reading response: malformed server-sent event JSON.');
  }
}
