import { stem } from '../../text-analysis/stemming.ts';
import { fold, isContent, wordsOf } from '../../text-analysis/words.ts';
import { conceptsOf } from './concepts.ts';
import { best, type Matches } from './matches.ts';
import type { Identifier, Term } from './question.ts';
import { meaningsOf } from './synonyms.ts';

/** How well a text matches the terms of a question. */
export interface TextMatch {
  /** For each term: 1 if the text contains it, less for a similar word, 0 for none. */
  matches: Matches;
  /** The same for its first eight words, which often give the topic. */
  start: Matches;
  /** The same for its first two words. */
  head: Matches;
  /** The stems of its content words. */
  contentStems: Set<string>;
}

export type TermMatcher = (text: string) => TextMatch;

/** In words. */
const START = 8;
const HEAD = 2;
/** The factor for the words of an identifier that the text does not contain as a whole. */
const CREDIT_OF_PARTS = 0.6;
const CREDIT_OF_SYNONYM = 0.7;

interface KnownWord {
  stem: string;
  isContent: boolean;
  matches: Matches;
}

/** Matches texts with terms. Each distinct word is compared with the terms once. */
export function createTermMatcher(terms: Term[], identifiers: Identifier[]): TermMatcher {
  const known = new Map<string, KnownWord>();
  /** Cached, because a label or heading applies to many sentences. */
  const texts = new Map<string, TextMatch>();
  const nothing = terms.map(() => 0);

  function read(word: string): KnownWord {
    const found = known.get(word);
    if (found) return found;
    const root = stem(word);
    const matches = terms.map((term) => resemblance(term.stem, root));
    const read = { stem: root, isContent: isContent(word), matches };
    known.set(word, read);
    return read;
  }

  function readText(text: string): TextMatch {
    const words = wordsOf(text).map(read);
    const others = wordsOf(namesInCode(text)).map(read);
    const matches = best(nothing, ...[...words, ...others].map(({ matches }) => matches));
    for (const { text: identifier, parts } of identifiers) {
      if (fold(text).includes(identifier)) continue;
      for (const part of parts) matches[part] = (matches[part] ?? 0) * CREDIT_OF_PARTS;
    }
    return {
      matches,
      start: best(nothing, ...words.slice(0, START).map(({ matches }) => matches)),
      head: best(nothing, ...words.slice(0, HEAD).map(({ matches }) => matches)),
      contentStems: new Set(words.flatMap(({ stem, isContent }) => (isContent ? stem : []))),
    };
  }

  return (text) => {
    const match = texts.get(text) ?? readText(text);
    texts.set(text, match);
    return match;
  };
}

/** Words in identifiers (`bodyLimit`: body, limit) and in short commands (`npm i`: install). */
function namesInCode(text: string): string {
  const names = (text.match(/\p{L}+/gu) ?? []).filter((name) => /\p{Ll}\p{Lu}/u.test(name));
  const installs = /^(?:\$ )?(?:npm|pnpm|yarn|bun) (?:i|add) /.test(text) ? 'install' : '';
  return `${names.join(' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')} ${installs}`;
}

function resemblance(asked: string, found: string): number {
  if (asked === found) return 1;
  if (shareAny(conceptsOf(asked), conceptsOf(found))) return 0.8;
  if (shareAny(meaningsOf(asked), meaningsOf(found))) return CREDIT_OF_SYNONYM;
  const [short, long] = asked.length < found.length ? [asked, found] : [found, asked];
  if (short.length < 4 || !/^\p{L}+$/u.test(asked + found)) return 0;
  // German compounds: Reisekosten contains Kosten. The reverse is a weaker match.
  if (short.length > 4 && long.includes(short)) return short === asked ? 0.8 : 0.5;
  if (long.startsWith(short)) return 0.5;
  if (sharedStart(short, long) >= Math.max(5, short.length * 0.7)) return 0.7;
  return short.length > 4 &&
    short[0] === long[0] &&
    long.length - short.length < 2 &&
    sharedPairs(short, long) > 0.6
    ? 0.7
    : 0;
}

function shareAny(asked: readonly number[], found: readonly number[]): boolean {
  return asked.length > 0 && found.some((one) => asked.includes(one));
}

function sharedStart(short: string, long: string): number {
  let length = 0;
  while (length < short.length && short[length] === long[length]) length++;
  return length;
}

/** The Dice coefficient of letter pairs, which tolerates typing errors. */
function sharedPairs(one: string, other: string): number {
  const [pairs, others] = [letterPairs(one), letterPairs(other)];
  const shared = pairs.filter((pair) => others.includes(pair));
  return (2 * shared.length) / (pairs.length + others.length);
}

function letterPairs(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, start) => word.slice(start, start + 2));
}
