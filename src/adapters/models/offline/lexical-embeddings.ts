import { setImmediate } from 'node:timers/promises';
import type { EmbeddingModel, Vector } from '../../../ports/language-model.ts';
import { createLexicalEmbedder } from './lexical-embedder.ts';

/** Milliseconds after which the event loop gets a turn. */
const MAX_BLOCKING_MS = 10;

/**
 * Embeddings computed from the words of a text. Texts are similar if they share rare words or parts
 * of them. Deterministic, and works without a key or network. Throws only when its signal is aborted.
 */
export function createLexicalEmbeddings(): EmbeddingModel {
  const embed = createLexicalEmbedder();
  return {
    name: 'lexical-1',
    async embedQuestion(question, signal) {
      signal?.throwIfAborted();
      return embed(question);
    },
    embedTexts: (texts, signal) => embedAll(embed, texts, signal),
    check: async () => {},
  };
}

async function embedAll(
  embed: (text: string) => Vector,
  texts: string[],
  signal?: AbortSignal,
): Promise<Vector[]> {
  const vectors: Vector[] = [];
  let turnStart = performance.now();
  for (const text of texts) {
    signal?.throwIfAborted();
    vectors.push(embed(text));
    if (performance.now() - turnStart < MAX_BLOCKING_MS) continue;
    await setImmediate();
    turnStart = performance.now();
  }
  signal?.throwIfAborted();
  return vectors;
}
