import MiniSearch from 'minisearch';
import type { BenchChunk } from './corpus.ts';

/** The chunks for a question, best first. */
export type Search = (question: string) => BenchChunk[];

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** What the gateway is measured against: BM25 over the same chunks, words as Unicode cuts them. */
export function createKeywordSearch(chunks: BenchChunk[]): Search {
  const index = new MiniSearch({
    fields: ['file', 'heading', 'content'],
    tokenize: (text) => [...WORDS.segment(text)].filter(isWord).map(({ segment }) => segment),
  });
  index.addAll(chunks.map((chunk, id) => ({ id, ...chunk })));
  return (question) => index.search(question).flatMap(({ id }) => chunks[id] ?? []);
}

function isWord({ isWordLike }: Intl.SegmentData): boolean {
  return isWordLike === true;
}
