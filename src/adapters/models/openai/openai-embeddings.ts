import { AsyncCaller } from '@langchain/core/utils/async_caller';
import { OpenAIEmbeddings, type OpenAIEmbeddingsParams } from '@langchain/openai';
import type { OpenAI } from 'openai';
import { DIMENSIONS } from '../../../core/embedding.ts';
import type { EmbeddingModel, Vector } from '../../../ports/language-model.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { explainFailure } from '../explain-failure.ts';
import { CHECK_TIMEOUT_MS } from '../idle-timeout.ts';
import { average, toVector } from '../vectors.ts';
import {
  CHECK_TTL_MS,
  createClient,
  listAlternatives,
  listModels,
  type OpenAiOptions,
} from './openai-server.ts';

/** Models that take the number of dimensions as a parameter. */
const ADAPTABLE = /text-embedding-3-/;
/**
 * Texts in one request. OpenAI accepts 2,048 texts with 300,000 tokens in total, other servers only
 * about a hundred texts. This many chunks of 2,000 tokens, the maximum, stay below both limits.
 */
const BATCH = 96;
/** Concurrent requests for chunks, for all uploads together. Questions do not queue. */
const REQUESTS_AT_ONCE = 8;
/** Every model accepts this many tokens, and a token has at least one byte. */
const PIECE_BYTES = 8000;
const MAX_BYTES_PER_CHARACTER = 4;

/**
 * Embeddings by a model of OpenAI, or of a compatible server, through LangChain.
 *
 * Datasets store the name of the model without its server: behind another base URL, such as that of
 * a proxy, the same model produces the same vectors, so existing datasets stay valid.
 */
export function createOpenAiEmbeddings(options: OpenAiOptions): EmbeddingModel {
  const { server, model, timeoutMs } = options;
  const client = createClient(options);
  const queue = new AsyncCaller({ maxConcurrency: REQUESTS_AT_ONCE, maxRetries: 0 });

  return {
    name: model,

    async embedQuestion(question, signal) {
      const pieces = piecesOf(question);
      // A caller is waiting: two attempts together take no longer than one attempt elsewhere.
      const options = { signal, timeout: timeoutMs / 2, maxRetries: 1 };
      return average(await embed(pieces, (send) => send(options), signal), pieces);
    },

    embedTexts: (texts, signal) =>
      embed(texts, (send) => queue.callWithOptions({ signal }, () => send({ signal })), signal),

    check: rememberSuccess(async () => {
      const options = { timeout: CHECK_TIMEOUT_MS, maxRetries: 0 };
      await embed(['ready?'], (send) => send(options)).catch(async (error: Error) => {
        throw listAlternatives(error, model, await listModels(client).catch(() => undefined));
      });
    }, CHECK_TTL_MS),
  };

  async function embed(
    texts: string[],
    dispatch: Dispatch,
    signal?: AbortSignal,
  ): Promise<Vector[]> {
    const embeddings = new DispatchedEmbeddings(client, dispatch, {
      model,
      batchSize: BATCH,
      stripNewLines: false,
      dimensions: ADAPTABLE.test(model) ? DIMENSIONS : undefined,
      // This is also the client's default, but then the client converts it to arrays of numbers.
      encodingFormat: 'base64',
    });
    try {
      const vectors: (string | number[])[] = await embeddings.embedDocuments(texts);
      return vectors.map((vector) => toVector(vector, model));
    } catch (error) {
      signal?.throwIfAborted();
      throw explainFailure(error, { server, model, setting: 'EMBEDDING_MODEL' });
    }
  }
}

type Response = OpenAI.CreateEmbeddingResponse;
/** Sends a request now or later, with options of its choice. */
type Dispatch = (send: (options: OpenAI.RequestOptions) => Promise<Response>) => Promise<Response>;

/** LangChain's embeddings with requests that can be queued and aborted. */
class DispatchedEmbeddings extends OpenAIEmbeddings {
  readonly #dispatch: Dispatch;

  constructor(client: OpenAI, dispatch: Dispatch, fields: Partial<OpenAIEmbeddingsParams>) {
    super({ ...fields, apiKey: client.apiKey ?? '' });
    this.client = client;
    this.#dispatch = dispatch;
  }

  protected override async embeddingWithRetry(request: OpenAI.EmbeddingCreateParams) {
    const response = await this.#dispatch((options) =>
      this.client.embeddings.create(request, options),
    );
    if (response.data?.length !== request.input.length) throw new Error('it sent no embeddings');
    // Some servers send them as they are ready. A server without indexes keeps its order.
    response.data.sort((one, other) => one.index - other.index);
    return response;
  }
}

/** Splits a question that is longer than what a model accepts. */
function piecesOf(question: string): string[] {
  if (Buffer.byteLength(question) <= PIECE_BYTES) return [question];
  const piece = new RegExp(`.{1,${PIECE_BYTES / MAX_BYTES_PER_CHARACTER}}`, 'gsu');
  return question.match(piece) ?? [];
}
