import { stem } from '../../text-analysis/stemming.ts';
import { fold, isContent, wordsOf } from '../../text-analysis/words.ts';
import { conceptsOf } from './concepts.ts';
import { best, type Matches } from './matches.ts';
import type { Identifier, Term } from './question.ts';
import { meaningsOf } from './synonyms.ts';

/** What a text has of a question. */
export interface TextMatch {
  /** How well it has each of the terms: 1 has it, 0 has nothing like it. */
  matches: Matches;
  /** The same of its first words: what it is about. */
  start: Matches;
  /** The same of its very first words. */
  head: Matches;
  /** The stems of what it says. */
  told: Set<string>;
}

export type TermMatcher = (text: string) => TextMatch;

/** In words. */
const START = 8;
const HEAD = 2;
/** What the words of an identifier are worth where it does not stand as it was asked for. */
const CREDIT_OF_PARTS = 0.6;

const CREDIT_OF_SYNONYM = 0.7;

interface KnownWord {
  stem: string;
  tells: boolean;
  matches: Matches;
}

/** Looks for terms in texts; each word is compared with them once. */
export function createTermMatcher(terms: Term[], identifiers: Identifier[]): TermMatcher {
  const known = new Map<string, KnownWord>();
  /** A label or heading is that of many sentences. */
  const texts = new Map<string, TextMatch>();
  const nothing = terms.map(() => 0);

  function read(word: string): KnownWord {
    const found = known.get(word);
    if (found) return found;
    const root = stem(word);
    const matches = terms.map((term) => resemblance(term.stem, root));
    const read = { stem: root, tells: isContent(word), matches };
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
      told: new Set(words.flatMap(({ stem, tells }) => (tells ? stem : []))),
    };
  }

  return (text) => {
    const match = texts.get(text) ?? readText(text);
    texts.set(text, match);
    return match;
  };
}

/** `bodyLimit` is about the limit of a body, and `npm i` installs. */
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
  // Reisekosten has Kosten in it; but a database is less than half about data.
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

/** The share of letter pairs in common (Dice), which typing errors leave high. */
function sharedPairs(one: string, other: string): number {
  const [pairs, others] = [letterPairs(one), letterPairs(other)];
  const shared = pairs.filter((pair) => others.includes(pair));
  return (2 * shared.length) / (pairs.length + others.length);
}

function letterPairs(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, start) => word.slice(start, start + 2));
}
