import { stem } from './stemming.ts';
import { isContent, languagesOf, wordsOf } from './words.ts';

/** Terms are numbers from 0 up to this; `sparsevec` has no more dimensions than a thousand million. */
export const TERM_SPACE = 999_999_999;

/** What a text is made of, to an index of keywords. */
export interface TermCounts {
  /** Each once, in ascending order. */
  terms: Int32Array;
  /** How often each of them occurs. */
  counts: Int32Array;
  /** How many words the text has. */
  length: number;
}

const MOST_WORDS_KEPT = 50_000;
const LONGEST_WORD_KEPT = 40;
/** Of a question: each of them is looked for in every chunk where nothing is in memory. */
const MOST_QUESTION_TERMS = 96;

/**
 * Reads texts as an index of keywords sees them: a term is a hash of the stem of a word, or of a
 * pair of characters in scripts that set no spaces. Terms that are stored compare with those of a
 * question only as long as this and `wordsOf` and `stem` stay as they are.
 */
export function createTermReader() {
  /** Few words make up most of a text. */
  const kept = new Map<string, number>();

  function termOf(word: string): number {
    const known = kept.get(word);
    if (known !== undefined) return known;
    const term = hashOf(stem(word)) % TERM_SPACE;
    if (kept.size >= MOST_WORDS_KEPT) kept.clear();
    if (word.length <= LONGEST_WORD_KEPT) kept.set(word, term);
    return term;
  }

  return {
    termOf,

    /** All terms of a text. */
    read(text: string): TermCounts {
      const all = Int32Array.from(wordsOf(text).map(termOf)).sort();
      const { length } = all;
      const counts = new Int32Array(length);
      let distinct = 0;
      for (let at = 0; at < length; at++) {
        if (at > 0 && all[at] !== all[at - 1]) distinct++;
        all[distinct] = all[at] as number;
        counts[distinct] = (counts[distinct] as number) + 1;
      }
      const end = length > 0 ? distinct + 1 : 0;
      return { terms: all.subarray(0, end), counts: counts.subarray(0, end), length };
    },

    /**
     * The terms to look for, in ascending order: those of a question without the function words of its language, which
     * only make it a question; all of them when it has no other words.
     */
    readQuestion(question: string): number[] {
      const words = wordsOf(question);
      const telling = withoutFunctionWords(words);
      const terms = new Set((telling.length > 0 ? telling : words).map(termOf));
      return [...terms].slice(0, MOST_QUESTION_TERMS).sort((a, b) => a - b);
    },
  };
}

export type TermReader = ReturnType<typeof createTermReader>;

/**
 * "War" is a function word of German, but not in an English question: a question is in the language
 * that it has most function words of, if it has two.
 */
function withoutFunctionWords(words: string[]): string[] {
  const counts = new Map<string, number>();
  for (const language of words.filter((word) => !isContent(word)).flatMap(languagesOf)) {
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(2, ...counts.values());
  const isSpoken = (language: string) => counts.get(language) === most;
  return words.filter((word) => isContent(word) || !languagesOf(word).some(isSpoken));
}

/** FNV-1a, then MurmurHash3's finalizer: 32 bits, of which each depends on every character. */
function hashOf(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
