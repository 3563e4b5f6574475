import { AsyncCaller } from '@langchain/core/utils/async_caller';
import { OpenAIEmbeddings, type OpenAIEmbeddingsParams } from '@langchain/openai';
import type { OpenAI } from 'openai';
import { DIMENSIONS } from '../../../core/embedding.ts';
import type { EmbeddingModel, Vector } from '../../../ports/language-model.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { explainFailure } from '../explain-failure.ts';
import { CHECK_MS } from '../silence.ts';
import { average, toVector } from '../vectors.ts';
import { createClient, listModels, nameChoice, type OpenAiOptions } from './openai-server.ts';

/** Models that make vectors as short as they are asked to. */
const ADAPTABLE = /text-embedding-3-/;
/**
 * Texts of one request. OpenAI takes 2,048 of 300,000 tokens in all, but other servers only about a
 * hundred; so many chunks of 2,000 tokens, the longest there are, stay below either.
 */
const BATCH = 96;
/** Requests for chunks that run at the same time, of all uploads together. Questions do not queue. */
const REQUESTS_AT_ONCE = 8;
/** No model takes fewer tokens than this, and a token has at least one byte. */
const PIECE_BYTES = 8000;
const MOST_BYTES_OF_A_CHARACTER = 4;
/** Milliseconds that a check which passed is good for; one costs a token or two. */
const GOOD_FOR = 60_000;

/**
 * Embeddings by a model of OpenAI, or of a server that speaks its protocol, through LangChain.
 *
 * Datasets remember the bare name of the model: behind another base URL, such as a proxy's, the
 * same model makes the same vectors, and what was indexed stays of use.
 */
export function createOpenAiEmbeddings(options: OpenAiOptions): EmbeddingModel {
  const { server, model, patience } = options;
  const client = createClient(options);
  const queue = new AsyncCaller({ maxConcurrency: REQUESTS_AT_ONCE, maxRetries: 0 });

  return {
    name: model,

    async embedQuestion(question, signal) {
      const pieces = piecesOf(question);
      // Somebody waits: two attempts together take no longer than one may elsewhere.
      const hasty = { signal, timeout: patience / 2, maxRetries: 1 };
      return average(await embed(pieces, (send) => send(hasty), signal), pieces);
    },

    embedTexts: (texts, signal) =>
      embed(texts, (send) => queue.callWithOptions({ signal }, () => send({ signal })), signal),

    check: rememberSuccess(async () => {
      const once = { timeout: CHECK_MS, maxRetries: 0 };
      await embed(['ready?'], (send) => send(once)).catch(async (error: Error) => {
        throw nameChoice(error, model, await listModels(client).catch(() => undefined));
      });
    }, GOOD_FOR),
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
      // Left to themselves the client asks for it too, and makes arrays of numbers of it.
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
/** Decides when a request is sent, and with which options. */
type Dispatch = (send: (options: OpenAI.RequestOptions) => Promise<Response>) => Promise<Response>;

/** LangChain's embeddings, whose requests could not be aborted otherwise. */
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
    return response;
  }
}

/** A question may be longer than what a model takes at once. */
function piecesOf(question: string): string[] {
  if (Buffer.byteLength(question) <= PIECE_BYTES) return [question];
  const piece = new RegExp(`.{1,${PIECE_BYTES / MOST_BYTES_OF_A_CHARACTER}}`, 'gsu');
  return question.match(piece) ?? [];
}
