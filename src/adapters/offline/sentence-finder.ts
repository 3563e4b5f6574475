import { wordsOf } from '../text-analysis/words.ts';
import { type Question, readQuestion, type Term } from './question.ts';
import { isQuestion, type Sentence, sentencesOf } from './sentences.ts';
import { createTermMatcher, type TermMatcher } from './term-matcher.ts';

/** A text to find answers in. */
export interface Passage {
  text: string;
  /** The name of its file. */
  file: string;
  /** What it stands below in its file; empty when there is nothing. */
  heading: string;
}

/** A sentence that answers, as it stands in its passage. */
export interface Finding {
  sentence: string;
  file: string;
}

interface Candidate extends Finding {
  /** About 0 (has nothing that is asked) to 1 (has all of it). */
  score: number;
  /** How many of the question's names it has. */
  names: number;
}

/**
 * Below it, a sentence shares words with the question but does not answer it. Of a question of one
 * or two telling words, one is not enough.
 */
const LEAST_SCORE = { short: 0.6, long: 0.52 };
/** What a sentence and its heading must have of the question, whatever stands around them. */
const LEAST_OWN_SCORE = 0.25;
const MOST_FINDINGS = 3;
/** A further sentence must be nearly as good as the best. */
const NEARLY = 0.8;

/**
 * What it is worth to find a term beside the sentence rather than in it. A name is what a whole
 * passage is about, and need not be said again in every sentence.
 */
const CREDIT = { heading: 0.8, before: 0.5, fileName: 0.5, passage: 0.25, name: 0.6 };
const HEADING_FACTOR = 0.7;
const COST_OF_RANK = 0.01;
const COST_OF_LACKING_FOCUS = 0.25;
const WORTH_OF_KIND = 0.08;

/**
 * The sentences of the passages that answer a question, best first; none when nothing does.
 *
 * @param passages most relevant first
 */
export function findSentences(question: string, passages: Passage[]): Finding[] {
  const asked = readQuestion(question);
  if (asked.terms.length === 0) return [];
  const match = createTermMatcher(asked.terms);
  const matched = passages
    .map((passage) => matchPassage(passage, match))
    .filter((passage) => hasNames(passage, asked.terms));
  const weights = weigh(asked.terms, matched);
  const candidates = matched.flatMap((passage, rank) =>
    scorePassage(passage, rank, asked, weights),
  );
  const telling = asked.terms.filter(({ isCommon }) => !isCommon);
  return chooseBest(candidates, telling.length > 2 ? LEAST_SCORE.long : LEAST_SCORE.short);
}

/** How well each term of the question is found somewhere, 0 to 1. */
type Matches = number[];

interface MatchedPassage {
  file: string;
  sentences: MatchedSentence[];
  anywhere: Matches;
}

interface MatchedSentence extends Sentence {
  /** In the sentence and its heading. */
  own: Matches;
  /** There, or in the sentence before, or in the file's name. */
  near: Matches;
}

function matchPassage({ text, file, heading: above }: Passage, match: TermMatcher): MatchedPassage {
  const fileName = match(file);
  const anywhere = match([file, above, text].join('\n'));
  const topic = match(above);
  let heading = topic;
  let before: Matches = [];
  const sentences = sentencesOf(text).map((sentence) => {
    const matches = match(sentence.text);
    const own = sentence.announces ? matches : best(matches, times(heading, CREDIT.heading));
    const near = sentence.isRow
      ? own
      : best(own, times(before, CREDIT.before), times(fileName, CREDIT.fileName));
    if (sentence.announces) heading = best(topic, matches);
    before = matches;
    return { ...sentence, own, near };
  });
  return { file, sentences, anywhere };
}

/**
 * What the terms count here. A term that no passage has is most likely what the documents do not
 * tell, and counts twice. Names tell where to look, not what for: they count no more than the rest.
 */
function weigh(terms: Term[], passages: MatchedPassage[]): number[] {
  const somewhere = best(...passages.map(({ anywhere }) => anywhere));
  const weights = terms.map(({ weight, isCommon }, i) =>
    somewhere[i] || isCommon ? weight : 2 * weight,
  );
  const names = sum(weights.filter((_, i) => terms[i]?.isName));
  const others = sum(weights) - names;
  const share = others > 0 ? Math.min(1, others / names) : 1;
  return weights.map((weight, i) => (terms[i]?.isName ? weight * share : weight));
}

function hasNames({ anywhere }: MatchedPassage, terms: Term[]): boolean {
  return terms.every(({ isName }, i) => !isName || (anywhere[i] ?? 0) > 0.6);
}

function scorePassage(
  { file, sentences, anywhere }: MatchedPassage,
  rank: number,
  { terms, focus, wants }: Question,
  weights: number[],
): Candidate[] {
  const around = anywhere.map(
    (match, i) => match * (terms[i]?.isName ? CREDIT.name : CREDIT.passage),
  );
  return sentences.flatMap(({ text, announces, isRow, own, near }) => {
    if (isQuestion(text) || mean(own, weights) < LEAST_OWN_SCORE) return [];
    const matches = isRow ? near : best(near, around);
    let score = mean(matches, weights) * (announces ? HEADING_FACTOR : 1) - rank * COST_OF_RANK;
    if (focus && !near[terms.indexOf(focus)]) score -= COST_OF_LACKING_FOCUS;
    if (wants) score += LOOKS_LIKE[wants].test(text) ? WORTH_OF_KIND : -WORTH_OF_KIND;
    const names = terms.filter(({ isName }, i) => isName && own[i]).length;
    return [{ sentence: text, file, score, names }];
  });
}

const NUMBER = new RegExp(
  [
    '[0-9一二三四五六七八九十百千万]',
    String.raw`\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty|hundred|thousand|million|half|once|twice|every)\b`,
    String.raw`\b(?:zwei|drei|vier|fünf|sechs|zwölf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco)\b`,
  ].join('|'),
  'i',
);

/** How the kinds of answers look in a sentence. */
const LOOKS_LIKE = {
  number: NUMBER,
  name: /(?<=\s)\p{Lu}\p{L}+ (?:\p{Ll}+ )?\p{Lu}\p{L}+|[\p{Script=Han}\p{Script=Hangul}]/u,
};

function best(...places: Matches[]): Matches {
  const longest = Math.max(0, ...places.map((place) => place.length));
  return Array.from({ length: longest }, (_, term) =>
    Math.max(0, ...places.map((place) => place[term] ?? 0)),
  );
}

function times(matches: Matches, credit: number): Matches {
  return matches.map((match) => match * credit);
}

function mean(matches: Matches, weights: number[]): number {
  return sum(weights.map((weight, term) => weight * (matches[term] ?? 0))) / sum(weights);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The best, and those that are nearly as good, about the same and say something else. */
function chooseBest(candidates: Candidate[], leastScore: number): Finding[] {
  const ranked = candidates.toSorted((one, other) => other.score - one.score);
  const [first] = ranked;
  if (!first || first.score < leastScore) return [];
  const least = Math.max(leastScore, first.score * NEARLY);
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === MOST_FINDINGS || candidate.score < least) break;
    if (candidate.names < first.names) continue;
    if (!chosen.some(({ sentence }) => repeats(candidate.sentence, sentence))) {
      chosen.push(candidate);
    }
  }
  return chosen;
}

function repeats(sentence: string, other: string): boolean {
  const [words, others] = [new Set(wordsOf(sentence)), new Set(wordsOf(other))];
  return words.intersection(others).size > 0.7 * Math.min(words.size, others.size);
}
