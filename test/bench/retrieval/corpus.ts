import type { FieldFilter } from '../../../src/core/filter.ts';
import type { Chunk } from '../../../src/core/model.ts';
import { createRandom, createVectors, type VectorKind } from '../../support/vectors.ts';

const FILE_CHUNKS = 200;

/** A file of a dataset: its chunks arrive together. */
export interface CorpusFile {
  dataset: number;
  loaderKey: bigint;
  chunks: Chunk[];
  vectors: Float32Array[];
}

/** What a filter asks for; each is passed by so much of a dataset. */
export const FILTERS: Record<string, FieldFilter[]> = {
  none: [],
  '20 %': [{ key: 'lang', match: { value: 'lang-1' } }],
  '1 %': [{ key: 'category', match: { value: 'category-7' } }],
};

/** Datasets of these sizes; each is about a topic of its own. */
export function createCorpus(sizes: number[], kind: VectorKind, seed = 1) {
  const random = createRandom(seed);
  const vectors = createVectors(kind, seed);
  const pick = (count: number) => Math.floor(random() * count);

  return {
    /** All files, in an order of arrival that mixes the datasets. */
    *files(): Generator<CorpusFile> {
      const waiting = sizes.flatMap((size, dataset) =>
        Array.from({ length: Math.ceil(size / FILE_CHUNKS) }, (_, at) => ({
          dataset,
          count: Math.min(FILE_CHUNKS, size - at * FILE_CHUNKS),
        })),
      );
      for (let loaderKey = 1n; waiting.length > 0; loaderKey++) {
        const [{ dataset, count } = { dataset: 0, count: 0 }] = waiting.splice(
          pick(waiting.length),
          1,
        );
        const name = `file-${loaderKey}`;
        yield {
          dataset,
          loaderKey,
          chunks: Array.from({ length: count }, (_, position) => ({
            position,
            content: `${name}/${position} ${words(random)}`,
            metadata: {
              fileId: name,
              originalName: `${name}.txt`,
              datasetId: `dataset-${dataset}`,
              lang: `lang-${pick(5)}`,
              category: `category-${pick(100)}`,
              page: 1 + (position >> 2),
              draft: pick(2) === 1,
            },
          })),
          vectors: Array.from({ length: count }, () =>
            vectors.chunk(`topic-${dataset}`, name, random),
          ),
        };
      }
    },

    /** The vector of a question about this chunk of a dataset. */
    question: (dataset: number, { name, vector }: { name: string; vector: Float32Array }) => {
      const [file = ''] = name.split('/');
      return vectors.question(vector, `topic-${dataset}`, file, random);
    },

    /** One of some things. */
    choose: <Thing>(things: Thing[]): Thing => things[pick(things.length)] as Thing,
  };
}

const WORDS =
  'the gateway keeps every file of a dataset with its record and its stored copy while questions find chunks by their vectors'.split(
    ' ',
  );

/** 900 to 1,200 characters. */
function words(random: () => number): string {
  const length = 900 + random() * 300;
  let text = '';
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text;
}
