import { fold } from '../../text-analysis/words.ts';
import { isFact } from './answer-kinds.ts';
import { isCommand } from './lines.ts';
import {
  type MatchedSentence,
  type MatchedSource,
  matchSource,
  type Source,
} from './matched-source.ts';
import { NAMED } from './matches.ts';
import type { Question } from './question.ts';
import { createScore, type Score } from './sentence-score.ts';
import { isQuestion, type Sentence } from './sentences.ts';
import { createTermMatcher } from './term-matcher.ts';

/** A sentence that answers the question. */
export interface Finding {
  sentence: MatchedSentence;
  /** The rank of its source: 0 is the best. */
  rank: number;
  file: string;
  /** The label or heading needed to understand it; may be empty. */
  under: string;
  /** The sentences after it, which may be needed to complete it. */
  following: MatchedSentence[];
}

interface Candidate extends Finding {
  /** See `Score`. */
  score: number;
  /** A second sentence that is part of the answer: the next one, or one whose topic this one is. */
  partner?: MatchedSentence;
}

/** Below this, a sentence shares words with the question without answering it. Facts need more. */
const LEAST_SCORE = { fact: 0.67, other: 0.58 };
/** The least score of a second sentence, relative to the best. */
const LEAST_RELATIVE_SCORE = 0.8;
/** Added to the score of a neighbour of the best sentence. */
const BONUS_OF_NEIGHBOUR = 0.05;
/** In characters. */
const LONGEST_PAIR = 400;
const FOLLOWING = 4;
/** Starts that only fragments of sentences have. */
const CUT = /^(?:&&|\|\||[,;:)\]])/;

/**
 * Finds the one or two sentences that answer a question, best first. Empty if none does.
 *
 * @param weights the weight of each term of the question
 */
export function findSentences(question: Question, weights: number[], sources: Source[]): Finding[] {
  if (question.terms.length === 0) return [];
  const match = createTermMatcher(question.terms, question.identifiers);
  const score = createScore(question, weights);
  const matched = sources.map((source, rank) => matchSource(source, match, rank));
  const fragments = fragmentsOf(matched);
  const candidates = matched
    .filter(({ anywhere }) =>
      question.terms.every(({ isName }, at) => !isName || (anywhere[at] ?? 0) > NAMED),
    )
    .flatMap((source) => candidatesOf(source, question, score))
    .filter(({ sentence }) => !fragments.has(sentence));
  return chooseBest(
    candidates,
    question.wants,
    isFact(question.wants) ? LEAST_SCORE.fact : LEAST_SCORE.other,
  );
}

/** Incomplete sentences at the start of sources that another source of the file has completely. */
function fragmentsOf(sources: MatchedSource[]): Set<MatchedSentence> {
  const fragments = new Set<MatchedSentence>();
  for (const { file, sentences } of sources) {
    const first = sentences.find(({ announces }) => !announces);
    const isWhole = ({ text }: MatchedSentence) =>
      first && text.length > first.text.length && text.endsWith(first.text);
    const others = sources.filter((other) => other.file === file);
    const isCut = first && CUT.test(first.text);
    if (first && (isCut || others.some((other) => other.sentences.some(isWhole)))) {
      fragments.add(first);
    }
  }
  return fragments;
}

function candidatesOf(source: MatchedSource, question: Question, score: Score): Candidate[] {
  const { rank, file, sentences } = source;
  return sentences.flatMap((sentence, at) => {
    if (isQuestion(sentence.text) || quotes(sentence, question)) return [];
    if (isBare(sentence) && !answers(sentence, question)) return [];
    const isNamed = question.terms.every(({ isName }, term) => !isName || sentence.own[term]);
    if (sentence.isRow && !isNamed) return [];
    const following = sentences.slice(at + 1, at + 1 + FOLLOWING);
    const { under } = sentence;
    const candidate = { sentence, rank, file, under, following };
    const partners = sentences
      .slice(at + 1)
      .filter(
        (partner, distance) =>
          (partner.topic === at || (distance === 0 && partner.paragraph === sentence.paragraph)) &&
          goTogether(sentence, partner),
      );
    return [
      { ...candidate, score: score([sentence], source) },
      ...partners.map((partner) => ({
        ...candidate,
        partner,
        following: sentences.slice(sentences.indexOf(partner) + 1).slice(0, FOLLOWING),
        score: score([sentence, partner], source),
      })),
    ];
  });
}

/** Whether a sentence quotes the question, for example as a sample question. */
function quotes({ text }: Sentence, { folded }: Question): boolean {
  return isQuestion(folded) && fold(text).includes(folded);
}

/** Whether it says something only below its question, such as "Yes." */
function isBare({ contentStems }: MatchedSentence): boolean {
  return contentStems.size === 0;
}

/** Whether the question above a sentence is the one that was asked. */
function answers({ own }: MatchedSentence, { terms }: Question): boolean {
  return terms.every((_, term) => (own[term] ?? 0) > NAMED);
}

/** Whether both are sentences of prose, and short enough to be quoted together. */
function goTogether(sentence: Sentence, next: Sentence): boolean {
  if (sentence.text.length + next.text.length > LONGEST_PAIR) return false;
  return [sentence, next].every(({ isRow, isCode, announces }) => !isRow && !isCode && !announces);
}

/** The best candidate with its partner, or with another one that is nearly as good and differs. */
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
    .filter(({ score }) => score >= first.score * LEAST_RELATIVE_SCORE)
    .sort((one, other) => other.score - one.score);
  if (!further) return [first];
  return isBare(further.sentence) ? [further, first] : [first, further];
}

function bonusOfNeighbour({ sentence, following }: Finding, other: Finding): number {
  const isBefore = other.following[0] === sentence;
  const isNext = other.sentence === following[0] && other.sentence.paragraph === sentence.paragraph;
  return isBefore || isNext ? BONUS_OF_NEIGHBOUR : 0;
}

function repeats({ contentStems }: MatchedSentence, other: MatchedSentence): boolean {
  const most = 0.7 * Math.min(contentStems.size, other.contentStems.size);
  return contentStems.intersection(other.contentStems).size > most;
}
