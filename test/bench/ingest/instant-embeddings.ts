import type { EmbeddingModel, Vector } from '../../../src/ports/language-model.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';

const KNOWN = 512;

/** A model that takes no time: it has its vectors already, and hands out copies as a client of a model would. */
export function createInstantEmbeddings(): EmbeddingModel {
  const { chunk } = createVectors('clustered');
  const random = createRandom(1);
  const known = Array.from({ length: KNOWN }, (_, at) => chunk('topic', `file-${at % 8}`, random));
  let next = 0;
  const one = (): Vector => new Float32Array(known[next++ % KNOWN] as Vector);
  return {
    name: 'instant',
    embedQuestion: async () => one(),
    embedTexts: async (texts) => texts.map(one),
    check: async () => {},
  };
}
