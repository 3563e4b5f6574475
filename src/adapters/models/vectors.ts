import { OperatorError } from '../../core/errors.ts';
import type { Vector } from '../../ports/language-model.ts';

export const DIMENSIONS = 1536;

/**
 * A model's numbers as a vector of 1536 dimensions. Zeros fill up a shorter one: they change no cosine.
 *
 * @throws OperatorError when there are more
 */
export function toVector(numbers: number[], model: string): Vector {
  const { length } = numbers;
  if (length === 0 || !numbers.every(Number.isFinite)) throw new Error('it sent no vector');
  if (length > DIMENSIONS) {
    throw new OperatorError(
      `EMBEDDING_MODEL: ${model} makes vectors of ${length} dimensions; at most ${DIMENSIONS} can be stored`,
    );
  }
  const vector = new Float32Array(DIMENSIONS);
  vector.set(numbers);
  return vector;
}

/** The vector of a text in pieces; a long piece counts for more than a short one. */
export function average(vectors: Vector[], pieces: string[]): Vector {
  const [only] = vectors;
  if (only && vectors.length === 1) return only;
  const sum = new Float32Array(DIMENSIONS);
  for (const [at, vector] of vectors.entries()) {
    const weight = pieces[at]?.length ?? 0;
    for (const [dimension, number] of vector.entries()) {
      sum[dimension] = (sum[dimension] ?? 0) + weight * number;
    }
  }
  return sum;
}
