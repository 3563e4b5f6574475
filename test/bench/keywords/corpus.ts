import type { Chunk } from '../../../src/core/model.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';

const FILE_CHUNKS = 100;
const VOCABULARY = 120_000;
/** How many words of a chunk are of its file's subject. */
const SUBJECT = 0.35;
const SUBJECT_WORDS = 150;

/** A file of a dataset: its chunks arrive together. */
export interface TextFile {
  dataset: number;
  loaderKey: bigint;
  chunks: Chunk[];
  vectors: Float32Array[];
}

/**
 * Datasets of texts whose words are as frequent as those of a language (Zipf's law), and which
 * have subjects: a file's chunks share words that others seldom have. About 1,050 characters and
 * 80 different words a chunk.
 */
export function createTextCorpus(sizes: number[], seed = 1) {
  const random = createRandom(seed);
  const vectors = createVectors('clustered', seed);
  const words = Array.from({ length: VOCABULARY }, (_, at) => pseudoWord(at));
  const pick = (count: number) => Math.floor(random() * count);
  /** By Zipf: the nth word is n times as rare as the first. */
  const anyWord = () => words[Math.floor(VOCABULARY ** random()) - 1] ?? 'be';

  return {
    *files(): Generator<TextFile> {
      let loaderKey = 1n;
      for (const [dataset, size] of sizes.entries()) {
        for (let start = 0; start < size; start += FILE_CHUNKS, loaderKey++) {
          const name = `file-${loaderKey}`;
          const subject = Array.from({ length: SUBJECT_WORDS }, () => words[pick(VOCABULARY)]);
          const count = Math.min(FILE_CHUNKS, size - start);
          yield {
            dataset,
            loaderKey,
            chunks: Array.from({ length: count }, (_, position) => ({
              position,
              content: textOf(() =>
                random() < SUBJECT
                  ? (subject[Math.floor(SUBJECT_WORDS ** random()) - 1] ?? 'be')
                  : anyWord(),
              ),
              metadata: {
                originalName: `${name}.txt`,
                lang: `lang-${pick(5)}`,
                category: `category-${pick(100)}`,
                page: 1 + (position >> 2),
              },
            })),
            vectors: Array.from({ length: count }, () =>
              vectors.chunk(`topic-${dataset}`, name, random),
            ),
          };
        }
      }
    },

    /** Some words of a chunk, as a question has them, and a vector near to it. */
    question(dataset: number, { content, file, vector }: Asked) {
      const found = content.split(' ');
      const count = 4 + pick(7);
      return {
        question: Array.from({ length: count }, () => found[pick(found.length)]).join(' '),
        vector: vectors.question(vector, `topic-${dataset}`, file, random),
      };
    },

    choose: <Thing>(things: Thing[]): Thing => things[pick(things.length)] as Thing,
  };

  function textOf(next: () => string): string {
    const length = 700 + random() * 700;
    let text = '';
    while (text.length < length) text += `${next()} `;
    return text.trimEnd();
  }
}

/** A chunk that is asked for. */
export interface Asked {
  content: string;
  /** The name of its file, without an ending. */
  file: string;
  vector: Float32Array;
}

const SYLLABLES = 'ba do ku mi lo ra te vo nu pi sha gre bri tol man ver kan dus fel gor'.split(
  ' ',
);

/** Short for small numbers, as frequent words are; none is a word that a language has much of. */
function pseudoWord(number: number): string {
  let word = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return word;
}
