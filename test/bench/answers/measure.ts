import type { AnswerModel, EmbeddingModel } from '../../../src/ports/language-model.ts';
import type { BenchChunk } from './corpus.ts';
import type { Search } from './keyword-search.ts';
import type { Question } from './questions.ts';

/** Chunks that an answer is written from, as the gateway does it. */
const RETRIEVED = 8;

export interface RetrievalScores {
  answerable: number;
  hitAt1: number;
  hitAt8: number;
  /** Mean reciprocal rank within the first 8. */
  mrr: number;
  missed: string[];
}

/** How often a search finds the chunk that holds the answer. */
export async function measureRetrieval(
  search: Search,
  questions: Question[],
): Promise<RetrievalScores> {
  const answerable = questions.filter(({ file }) => file);
  const ranks = await Promise.all(answerable.map((question) => rankOf(question, search)));
  return {
    answerable: answerable.length,
    hitAt1: ranks.filter((rank) => rank === 1).length,
    hitAt8: ranks.filter((rank) => rank <= RETRIEVED).length,
    mrr: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length,
    missed: answerable.filter((_, i) => ranks[i] === Infinity).map(({ ask }) => ask),
  };
}

async function rankOf({ ask, file, find }: Question, search: Search): Promise<number> {
  const found = (await search(ask)).slice(0, RETRIEVED);
  const index = found.findIndex((chunk) => chunk.file === file && has(chunk.content, find));
  return index < 0 ? Infinity : index + 1;
}

export interface AnswerScores {
  /** Of the questions that the documents answer. */
  right: number;
  wrong: number;
  refused: number;
  /** Of those that they do not answer. */
  rightlyRefused: number;
  invented: number;
}

/** What the model makes of what a search finds. */
export async function measureAnswers(
  model: AnswerModel,
  search: Search,
  questions: Question[],
): Promise<AnswerScores> {
  const scores = { right: 0, wrong: 0, refused: 0, rightlyRefused: 0, invented: 0 };
  for (const question of questions) {
    const answer = await answerOf(model, question.ask, await search(question.ask));
    scores[judge(answer, question)]++;
  }
  return scores;
}

async function answerOf(model: AnswerModel, question: string, found: BenchChunk[]) {
  const sources = found.slice(0, RETRIEVED).map(({ file, content, heading }) => ({
    score: 0,
    pageContent: content,
    metadata: { originalName: file, heading },
  }));
  const prompt = { instructions: '', message: question, question, sources };
  const pieces = await Array.fromAsync(model.answer(prompt, new AbortController().signal));
  return pieces.join('');
}

function judge(answer: string, { file, find }: Question): keyof AnswerScores {
  const refused = answer.startsWith('I do not know');
  if (!file) return refused ? 'rightlyRefused' : 'invented';
  if (refused) return 'refused';
  return has(answer, find) ? 'right' : 'wrong';
}

function has(text: string, part = ''): boolean {
  return plain(text).includes(plain(part));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}

/** Chunks of 1,200 characters that the model embeds in a second of one core, warm. */
export async function measureSpeed(model: EmbeddingModel, chunks: BenchChunk[]): Promise<number> {
  const text = chunks.map(({ content }) => content).join('\n');
  const texts = text.match(/.{1200}/gs) ?? [];
  await model.embedTexts(texts);
  const before = process.threadCpuUsage();
  const rounds = 20;
  for (let round = 0; round < rounds; round++) await model.embedTexts(texts);
  const { user, system } = process.threadCpuUsage(before);
  return Math.round((rounds * texts.length * 1e6) / (user + system));
}
