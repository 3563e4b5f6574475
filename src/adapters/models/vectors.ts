import { DIMENSIONS } from '../../core/embedding.ts';
import { ConfigurationError } from '../../core/errors.ts';
import type { Vector } from '../../ports/language-model.ts';

/**
 * An embedding as a vector of 1536 dimensions. A shorter one is padded with zeros, which does not
 * change cosine similarities.
 *
 * @param embedding numbers, or little-endian 32-bit floats in base64
 * @throws ConfigurationError when the embedding is longer
 */
export function toVector(embedding: number[] | string, model: string): Vector {
  const numbers = typeof embedding === 'string' ? decode(embedding) : embedding;
  const { length } = numbers;
  if (length === 0 || !areFinite(numbers)) throw new Error('it sent no vector');
  if (length > DIMENSIONS) {
    throw new ConfigurationError(
      `EMBEDDING_MODEL: ${model} makes vectors of ${length} dimensions; at most ${DIMENSIONS} can be stored`,
    );
  }
  const vector = new Float32Array(DIMENSIONS);
  vector.set(numbers);
  return vector;
}

/** A loop by index takes a tenth of the time of `every`. */
function areFinite(numbers: ArrayLike<number>): boolean {
  for (let at = 0; at < numbers.length; at++) if (!Number.isFinite(numbers[at])) return false;
  return true;
}

function decode(base64: string): Vector {
  const bytes = Buffer.byteLength(base64, 'base64');
  if (bytes % Float32Array.BYTES_PER_ELEMENT > 0) throw new Error('it sent no vector');
  const numbers = new Float32Array(bytes / Float32Array.BYTES_PER_ELEMENT);
  Buffer.from(numbers.buffer).write(base64, 'base64');
  return numbers;
}

/** The vector of a text that was embedded in pieces: their mean, weighted by length. */
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
