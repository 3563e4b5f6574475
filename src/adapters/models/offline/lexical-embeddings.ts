import { setImmediate } from 'node:timers/promises';
import { Embeddings } from '@langchain/core/embeddings';
import type { EmbeddingModel, Vector } from '../../../ports/language-model.ts';
import { createLexicalEmbedder } from './lexical-embedder.ts';

/** The event loop is never held longer than this at a stretch, in milliseconds. */
const LONGEST_STRETCH = 10;

/**
 * Embeddings from the words of a text alone: no key, no network, the same on every machine. Texts
 * are similar when they share rare words, or parts of them. Never fails but by its signal.
 */
export function createLexicalEmbeddings(): EmbeddingModel {
  const embed = createLexicalEmbedder();
  return {
    name: 'lexical-1',
    async embedQuestion(question, signal) {
      signal?.throwIfAborted();
      return embed(question);
    },
    embedTexts: (texts, signal) => embedInStretches(embed, texts, signal),
    check: async () => {},
  };
}

/** The same model, as LangChain's vector stores and retrievers take it. */
export class LexicalEmbeddings extends Embeddings<number[]> {
  readonly #embed = createLexicalEmbedder();

  constructor() {
    super({});
  }

  override async embedQuery(question: string): Promise<number[]> {
    return Array.from(this.#embed(question));
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    const vectors = await embedInStretches(this.#embed, texts);
    return vectors.map((vector) => Array.from(vector));
  }
}

async function embedInStretches(
  embed: (text: string) => Vector,
  texts: string[],
  signal?: AbortSignal,
): Promise<Vector[]> {
  const vectors: Vector[] = [];
  let begun = performance.now();
  for (const text of texts) {
    signal?.throwIfAborted();
    vectors.push(embed(text));
    if (performance.now() - begun < LONGEST_STRETCH) continue;
    await setImmediate();
    begun = performance.now();
  }
  signal?.throwIfAborted();
  return vectors;
}
