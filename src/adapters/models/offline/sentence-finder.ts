import { fold } from '../../text-analysis/words.ts';
import { isFact } from './answer-kinds.ts';
import { isCommand } from './lines.ts';
import {
  type MatchedPassage,
  type MatchedSentence,
  matchPassage,
  type Passage,
} from './matched-passage.ts';
import { NAMED } from './matches.ts';
import type { Question } from './question.ts';
import { createScore, type Score } from './sentence-score.ts';
import { isQuestion, type Sentence } from './sentences.ts';
import { createTermMatcher } from './term-matcher.ts';

/** A sentence that answers, as it stands in its passage. */
export interface Finding {
  sentence: MatchedSentence;
  file: string;
  /** The label or heading by which it answers what it does not say itself; may be empty. */
  under: string;
  /** What the passage says after it, as far as it may be needed to complete it. */
  following: MatchedSentence[];
}

interface Candidate extends Finding {
  /** The share of the question's weight that it has, and how it looks: about 0 to 1. */
  score: number;
  /** A second sentence with which it answers: the next one, or one that it is the topic of. */
  partner?: MatchedSentence;
}

/** With less, a sentence shares words with the question but does not answer it; a fact is soon wrong. */
const LEAST_SCORE = { fact: 0.67, other: 0.58 };
/** A further sentence must be nearly as good as the best. */
const NEARLY = 0.8;
/** What a neighbour of the best sentence is preferred by, to be quoted with it. */
const BONUS_OF_NEIGHBOUR = 0.05;
/** In characters. */
const LONGEST_PAIR = 400;
const FOLLOWING = 4;
/** How no sentence begins. */
const CUT = /^(?:&&|\|\||[,;:)\]])/;

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
  const match = createTermMatcher(question.terms, question.identifiers);
  const score = createScore(question, weights);
  const matched = passages.map((passage, rank) => matchPassage(passage, match, rank));
  const fragments = fragmentsOf(matched);
  const candidates = matched
    .filter(({ anywhere }) =>
      question.terms.every(({ isName }, at) => !isName || (anywhere[at] ?? 0) > NAMED),
    )
    .flatMap((passage) => candidatesOf(passage, question, score))
    .filter(({ sentence }) => !fragments.has(sentence));
  return chooseBest(
    candidates,
    question.wants,
    isFact(question.wants) ? LEAST_SCORE.fact : LEAST_SCORE.other,
  );
}

/** Ends of sentences that passages begin with, where another one of the file has the whole sentence. */
function fragmentsOf(passages: MatchedPassage[]): Set<MatchedSentence> {
  const fragments = new Set<MatchedSentence>();
  for (const { file, sentences } of passages) {
    const first = sentences.find(({ announces }) => !announces);
    const isWhole = ({ text }: MatchedSentence) =>
      first && text.length > first.text.length && text.endsWith(first.text);
    const others = passages.filter((other) => other.file === file);
    const isCut = first && CUT.test(first.text);
    if (first && (isCut || others.some((other) => other.sentences.some(isWhole)))) {
      fragments.add(first);
    }
  }
  return fragments;
}

function candidatesOf(passage: MatchedPassage, question: Question, score: Score): Candidate[] {
  const { file, sentences } = passage;
  return sentences.flatMap((sentence, at) => {
    if (isQuestion(sentence.text) || quotes(sentence, question)) return [];
    const isNamed = question.terms.every(({ isName }, term) => !isName || sentence.own[term]);
    if (sentence.isRow && !isNamed) return [];
    const following = sentences.slice(at + 1, at + 1 + FOLLOWING);
    const { under } = sentence;
    const candidate = { sentence, file, under, following };
    const partners = sentences
      .slice(at + 1)
      .filter(
        (partner, distance) =>
          (partner.topic === at || (distance === 0 && partner.paragraph === sentence.paragraph)) &&
          goTogether(sentence, partner),
      );
    return [
      { ...candidate, score: score([sentence], passage) },
      ...partners.map((partner) => ({
        ...candidate,
        partner,
        following: sentences.slice(sentences.indexOf(partner) + 1).slice(0, FOLLOWING),
        score: score([sentence, partner], passage),
      })),
    ];
  });
}

/** Is a sentence about the question itself, such as an example of what can be asked? */
function quotes({ text }: Sentence, { folded }: Question): boolean {
  return isQuestion(folded) && fold(text).includes(folded);
}

/** Are these two sentences of prose that can be quoted together? */
function goTogether(sentence: Sentence, next: Sentence): boolean {
  if (sentence.text.length + next.text.length > LONGEST_PAIR) return false;
  return [sentence, next].every(({ isRow, isCode, announces }) => !isRow && !isCode && !announces);
}

/** The best, and what goes with it: its pair, or one that is nearly as good and says something else. */
function chooseBest(
  candidates: Candidate[],
  wants: Question['wants'],
  leastScore: number,
): Finding[] {
  const ranked = candidates.toSorted((one, other) => other.score - one.score);
  const [first, ...others] = ranked;
  if (!first || first.score < leastScore) return [];
  // A command needs no explanation.
  if (wants === 'command' && first.sentence.isCode && isCommand(first.sentence.text))
    return [first];
  if (first.partner) return [first, { ...first, sentence: first.partner }];
  const [further] = others
    .filter(({ sentence }) => !repeats(sentence, first.sentence))
    .map((other) => ({
      ...other,
      score: other.score + bonusOfNeighbour(first, other),
    }))
    .filter(({ score }) => score >= first.score * NEARLY)
    .sort((one, other) => other.score - one.score);
  return further ? [first, further] : [first];
}

function bonusOfNeighbour({ sentence, following }: Finding, other: Finding): number {
  const isBefore = other.following[0] === sentence;
  const isNext = other.sentence === following[0] && other.sentence.paragraph === sentence.paragraph;
  return isBefore || isNext ? BONUS_OF_NEIGHBOUR : 0;
}

function repeats({ told }: MatchedSentence, other: MatchedSentence): boolean {
  const most = 0.7 * Math.min(told.size, other.told.size);
  return told.intersection(other.told).size > most;
}
