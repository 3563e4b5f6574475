import { median, timed } from '../report/figures.ts';
import type { AskedGateway, Found } from './asked-gateway.ts';
import type { BenchChunk } from './corpus.ts';
import type { Search } from './keyword-search.ts';
import { has, type Question } from './questions.ts';

/** Chunks that count as found. */
const FIRST = 8;

/** How many questions of a set came out how. */
export interface Scores {
  answerable: number;
  unanswerable: number;
  /** The right chunk is among the first 8 of a hybrid search. */
  found: number;
  /** The same of BM25. */
  foundByKeywords: number;
  /** The right text is in the sources of the answer. */
  inSources: number;
  /** It is in as much text of BM25's best chunks. */
  inKeywordText: number;
  /** It is in the answer. */
  answered: number;
  refused: number;
  rightlyRefused: number;
  /** Of an answer. */
  medianMs: number;
  /** Questions that were not answered right, and what was said. */
  missed: { question: Question; result: string; inSources: boolean }[];
}

/** Asks a gateway all questions, and a search by keywords beside it. */
export async function measure(
  gateway: AskedGateway,
  keywords: Search,
  questions: Question[],
): Promise<Scores> {
  const scores: Scores = {
    answerable: questions.filter(isAnswerable).length,
    unanswerable: questions.filter((question) => !isAnswerable(question)).length,
    ...{ found: 0, foundByKeywords: 0, inSources: 0, inKeywordText: 0 },
    ...{ answered: 0, refused: 0, rightlyRefused: 0, medianMs: 0, missed: [] },
  };
  const times: number[] = [];
  for (const question of questions) {
    const { ask, files, find } = question;
    const answerable = isAnswerable(question);
    const [ms, { result, sources }] = await timed(() => gateway.answer(ask));
    times.push(ms);
    const refused = result.startsWith('I do not know');
    const right = answerable ? !refused && has(result, find) : refused;
    const isRight = (chunk: BenchChunk) => files.includes(chunk.file) && has(chunk.content, find);
    const inSources = sources.map(toChunk).some(isRight);
    if (!right) scores.missed.push({ question, result, inSources });
    if (!answerable) {
      if (refused) scores.rightlyRefused++;
      continue;
    }
    if (right) scores.answered++;
    if (refused) scores.refused++;
    if (inSources) scores.inSources++;
    const best = keywords(ask);
    if ((await gateway.search(ask, FIRST)).map(toChunk).some(isRight)) scores.found++;
    if (best.slice(0, FIRST).some(isRight)) scores.foundByKeywords++;
    const length = lengthOf(sources.map(toChunk));
    if (asMuch(best, length).some(isRight)) scores.inKeywordText++;
  }
  return { ...scores, medianMs: median(times) };
}

function isAnswerable({ files }: Question): boolean {
  return files.length > 0;
}

function toChunk({ pageContent, metadata }: Found): BenchChunk {
  return { content: pageContent, file: metadata.originalName, heading: '' };
}

function lengthOf(chunks: BenchChunk[]): number {
  return chunks.reduce((sum, { content }) => sum + content.length, 0);
}

/** The first chunks that are together no longer than that. */
function asMuch(chunks: BenchChunk[], length: number): BenchChunk[] {
  return chunks.filter((_, at) => lengthOf(chunks.slice(0, at + 1)) <= length);
}
