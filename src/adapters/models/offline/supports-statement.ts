import type { SupportsStatement } from '../../../ports/supports-statement.ts';
import { wordsOf } from '../../text-analysis/words.ts';
import { splitDenials } from './denials.ts';
import { matchSource, type Source } from './matched-source.ts';
import { best, type Matches, share } from './matches.ts';
import { withDigits } from './number-words.ts';
import { type Question, readQuestion } from './question.ts';
import { sentencesOf } from './sentences.ts';
import { sourceOf } from './source-of.ts';
import { createTermMatcher, type TermMatcher } from './term-matcher.ts';

/** The least matched share of the weight of a statement's words. */
const LEAST_SHARE = 0.62;
/** The least match of a name. */
const LEAST_NAME = 0.5;
/** A statement may combine as many sentences. */
const MOST_SENTENCES = 4;

/**
 * Compares the sentences of a statement with passages by their words: names and numbers must occur in
 * them, and most of the other words too, in any inflection or as synonyms, in a few sentences with
 * their headings. A negated part of a sentence supports only a negated part of the statement.
 */
export const supportsStatement: SupportsStatement = (statement, passages) => {
  const sources = passages.map(sourceOf);
  const claims = sentencesOf(statement)
    .flatMap(({ text }) => claimsIn(text))
    .filter(({ terms }) => terms.length > 0);
  return claims.length > 0 && claims.every((claim) => carries(sources, claim));
};

/** A part of a statement that either denies something or does not. */
interface Claim extends Pick<Question, 'terms' | 'identifiers'> {
  denies: boolean;
  /** Its numbers in digits; one in words, as in "two ways", may count what a passage lists. */
  numbers: Set<string>;
}

function claimsIn(sentence: string): Claim[] {
  const { stated, denied } = splitDenials(sentence);
  const parts = [
    { text: stated, denies: false },
    { text: denied, denies: true },
  ];
  return parts.map(({ text, denies }) => ({
    ...readQuestion(withDigits(text)),
    denies,
    numbers: new Set(wordsOf(text).filter((word) => /^\d/.test(word))),
  }));
}

function carries(sources: Source[], { terms, identifiers, denies, numbers }: Claim): boolean {
  const match = createTermMatcher(terms, identifiers);
  const weights = terms.map(({ weight }) => weight);
  const found = combine(
    sources.flatMap((source) => evidenceOf(source, match, denies)),
    weights,
  );
  if (share(found, weights) < LEAST_SHARE) return false;
  return terms.every(({ word, isName }, at) => {
    const least = numbers.has(word) ? 1 : isName && !/^\d/.test(word) ? LEAST_NAME : 0;
    return (found[at] ?? 0) >= least;
  });
}

/** How well each sentence that denies, or each that does not, matches the terms of a claim. */
function evidenceOf(source: Source, match: TermMatcher, denies: boolean): Matches[] {
  const about = best(match(source.file).matches, match(source.heading).matches);
  return matchSource(source, match, 0).sentences.flatMap(({ text, own }) => {
    const { stated, denied } = splitDenials(text);
    if (denies) return denied ? [best(match(withDigits(text)).matches, about)] : [];
    // What surrounds the sentence is not known to belong to the clauses that are left of it.
    return stated ? [best(match(withDigits(stated)).matches, denied ? [] : own, about)] : [];
  });
}

/** Adds up the sentences that match most together. */
function combine(evidence: Matches[], weights: number[]): Matches {
  let found: Matches = weights.map(() => 0);
  for (let count = 0; count < MOST_SENTENCES; count++) {
    const combined = evidence.map((matches) => best(found, matches));
    const shares = combined.map((matches) => share(matches, weights));
    const most = Math.max(0, ...shares);
    if (most <= share(found, weights)) break;
    found = combined[shares.indexOf(most)] ?? found;
  }
  return found;
}
