import { createRandom } from '../../support/vectors.ts';

/** Vectors of the same kind from one seed; the first is that of every question. */
export function randomVectors(count: number): Float32Array<ArrayBuffer>[] {
  const random = createRandom(1);
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: 1536 }, () => random() - 0.5),
  );
}
