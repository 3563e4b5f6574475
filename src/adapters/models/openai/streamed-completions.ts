import { ChatOpenAICompletions } from '@langchain/openai';
import { createParser } from 'eventsource-parser';
import { OpenAI } from 'openai';

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
    return readChunks(
      await this.client.chat.completions.create(request, clientOptions).asResponse(),
    );
  }
}

/**
 * The pieces of a streamed answer. Ends the request when the reader stops.
 *
 * @throws APIError for an error that the server sends, SyntaxError for a piece that is not JSON
 */
async function* readChunks({ body, headers }: Response): AsyncGenerator<Chunk, void, undefined> {
  if (!body) return;
  let received: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => received.push(data) });
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // Some servers leave out the blank line behind the last piece.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      const pieces = received;
      received = [];
      for (const piece of pieces) {
        if (piece === '[DONE]') return;
        yield readChunk(piece, headers);
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
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
    // The text may be of the user.
    throw new SyntaxError('Error reading response: malformed server-sent event JSON.');
  }
}
