import type { EmbeddingModel, Vector } from '../../../src/ports/language-model.ts';
import type { BenchChunk } from './corpus.ts';
import type { Search } from './keyword-search.ts';

/** What the gateway does, without its database: every chunk by its cosine with the question. */
export async function createVectorSearch(
  model: EmbeddingModel,
  chunks: BenchChunk[],
): Promise<Search> {
  const vectors = await model.embedTexts(chunks.map(({ content }) => content));
  return async (question) => {
    const asked = await model.embedQuestion(question);
    return chunks
      .map((chunk, i) => ({ chunk, score: dot(asked, vectors[i] ?? asked) }))
      .sort((one, other) => other.score - one.score)
      .map(({ chunk }) => chunk);
  };
}

function dot(one: Vector, other: Vector): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}
