import { stem } from '../text-analysis/stemming.ts';
import { isContent, wordsOf } from '../text-analysis/words.ts';
import { looksLike } from './answer-kinds.ts';
import { isCommand } from './lines.ts';
import {
  type MatchedPassage,
  type MatchedSentence,
  matchPassage,
  type Passage,
} from './matched-passage.ts';
import { best, share, times } from './matches.ts';
import type { Question } from './question.ts';
import { isQuestion, type Sentence } from './sentences.ts';
import { createTermMatcher } from './term-matcher.ts';

/** A sentence that answers, as it stands in its passage. */
export interface Finding {
  sentence: Sentence;
  file: string;
  /** The label or heading by which it answers what it does not say itself; may be empty. */
  under: string;
  /** What the passage says after it, as far as it may be needed to complete it. */
  following: Sentence[];
}

interface Candidate extends Finding {
  /** The share of the question's weight that it has, and how it looks: about 0 to 1. */
  score: number;
  /** It answers together with the sentence after it. */
  isPair: boolean;
}

/** With less, a sentence shares words with the question but does not answer it. */
const LEAST_SCORE = 0.62;
/** What a sentence, its label and headings must have, whatever stands around them. */
const LEAST_OWN_SHARE = 0.3;
/** A further sentence must be nearly as good as the best. */
const NEARLY = 0.85;
/** What it is worth to find a term elsewhere in the passage. */
const CREDIT_OF_PASSAGE = 0.3;
/** A name is found as soon as a word resembles it that much. */
const NAMED = 0.6;

/** What is added to the share of the question's weight. */
const BONUS = { kind: 0.08, otherKind: -0.06, subject: 0.07, density: 0.055, pair: -0.06 };
const BONUS_OF_NEIGHBOUR = { next: 0.12, previous: 0.15 };
const COST_OF_LACKING_FOCUS = 0.25;
const COST_OF_CHARACTER = 0.0004;
/** What the share is multiplied with for sentences that seldom are an answer. */
const FACTOR = { heading: 0.6, nothingNew: 0.6, code: 0.85, cutCode: 0.6 };
/** In characters. */
const LONGEST_PAIR = 400;
const FOLLOWING = 4;

/**
 * The one or two sentences of the passages that answer a question, best first; none when nothing
 * does.
 *
 * @param weights what each term of the question is worth
 */
export function findSentences(
  question: Question,
  weights: number[],
  passages: Passage[],
): Finding[] {
  if (question.terms.length === 0) return [];
  const match = createTermMatcher(question.terms);
  const score = createScore(question, weights);
  const candidates = passages
    .map((passage) => matchPassage(passage, match))
    .filter(({ anywhere }) =>
      question.terms.every(({ isName }, at) => !isName || (anywhere[at] ?? 0) > NAMED),
    )
    .flatMap((passage) => candidatesOf(passage, question, score));
  return chooseBest(candidates);
}

type Score = (sentences: MatchedSentence[], passage: MatchedPassage) => number;

/** Scores a sentence, or two that follow each other. */
function createScore({ terms, focus, wants, defines }: Question, weights: number[]): Score {
  const asked = new Set(terms.map(({ stem }) => stem));
  const heaviest = weights.indexOf(Math.max(...weights));

  return (sentences, { anywhere }) => {
    const [first] = sentences as [MatchedSentence];
    const near = best(...sentences.map(({ near }) => near));
    if (share(best(...sentences.map(({ own }) => own)), weights) < LEAST_OWN_SHARE) return 0;
    const text = sentences.map(({ text }) => text).join(' ');
    const told = new Set(wordsOf(text).filter(isContent).map(stem));

    let score = share(best(near, times(anywhere, CREDIT_OF_PASSAGE)), weights);
    if (first.announces) score *= FACTOR.heading;
    if (focus && !near[terms.indexOf(focus)]) score -= COST_OF_LACKING_FOCUS;
    if (wants) {
      const isKind = sentences.some((sentence) => looksLike(wants, sentence));
      score += isKind ? BONUS.kind : BONUS.otherKind;
    }
    if (defines && (first.start[heaviest] ?? 0) > NAMED) score += BONUS.subject;
    if (sentences.length > 1) score += BONUS.pair;
    score -= text.length * COST_OF_CHARACTER;
    if (first.isCode) score *= factorOfCode(text);
    score += (BONUS.density * told.intersection(asked).size) / Math.max(1, told.size);
    return told.isSubsetOf(asked) ? score * FACTOR.nothingNew : score;
  };
}

/** A command answers by itself, a line of a program seldom, and half a statement never. */
function factorOfCode(line: string): number {
  if (isCommand(line)) return 1;
  return /[{([,]$/.test(line) ? FACTOR.cutCode : FACTOR.code;
}

function candidatesOf(passage: MatchedPassage, { terms }: Question, score: Score): Candidate[] {
  const { file, sentences } = passage;
  return sentences.flatMap((sentence, at) => {
    if (isQuestion(sentence.text)) return [];
    const isNamed = terms.every(({ isName }, term) => !isName || sentence.own[term]);
    if (sentence.isRow && !isNamed) return [];
    const following = sentences.slice(at + 1, at + 1 + FOLLOWING);
    const { under } = sentence;
    const candidate = { sentence, file, under, following };
    const single = { ...candidate, score: score([sentence], passage), isPair: false };
    const [next] = following;
    if (!next || !goTogether(sentence, next)) return [single];
    return [single, { ...candidate, score: score([sentence, next], passage), isPair: true }];
  });
}

/** Are these two sentences of prose that can be quoted together? */
function goTogether(sentence: Sentence, next: Sentence): boolean {
  if (sentence.text.length + next.text.length > LONGEST_PAIR) return false;
  return [sentence, next].every(({ isRow, isCode, announces }) => !isRow && !isCode && !announces);
}

/** The best, and what goes with it: its pair, or one that is nearly as good and says something else. */
function chooseBest(candidates: Candidate[]): Finding[] {
  const ranked = candidates.toSorted((one, other) => other.score - one.score);
  const [first, ...others] = ranked;
  if (!first || first.score < LEAST_SCORE) return [];
  const [next, ...following] = first.following;
  if (first.isPair && next) return [first, { ...first, sentence: next, following }];
  const [further] = others
    .filter(({ sentence }) => !repeats(sentence.text, first.sentence.text))
    .map((other) => ({ ...other, score: other.score + bonusOfNeighbour(first, other) }))
    .filter(({ score }) => score >= first.score * NEARLY)
    .sort((one, other) => other.score - one.score);
  return further ? [first, further] : [first];
}

function bonusOfNeighbour({ sentence, following }: Finding, other: Finding): number {
  if (other.following[0] === sentence) return BONUS_OF_NEIGHBOUR.previous;
  const isNext = other.sentence === following[0];
  return isNext && other.sentence.paragraph === sentence.paragraph ? BONUS_OF_NEIGHBOUR.next : 0;
}

function repeats(sentence: string, other: string): boolean {
  const [words, others] = [new Set(wordsOf(sentence)), new Set(wordsOf(other))];
  return words.intersection(others).size > 0.7 * Math.min(words.size, others.size);
}
