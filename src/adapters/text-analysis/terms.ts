import { createAsciiTerms } from './ascii-terms.ts';
import { isAscii } from './is-ascii.ts';
import { stem } from './stemming.ts';
import { isContent, languagesOf, wordsOf } from './words.ts';

/** Terms are numbers below this. A `sparsevec` has at most a billion dimensions. */
export const TERM_SPACE = 999_999_999;

/** The term frequencies of a text, for keyword search. */
export interface TermCounts {
  /** Distinct, in ascending order. */
  terms: number[];
  /** The frequency of each term. */
  counts: number[];
  /** The length of the text, in words. */
  length: number;
}

const MOST_WORDS_KEPT = 50_000;
const LONGEST_WORD_KEPT = 40;
/** Terms of a question, at most. Without an index in memory, each is looked up in every chunk. */
const MOST_QUESTION_TERMS = 96;

/**
 * Tokenizes texts for keyword search. A term is a hash of the stem of a word or, for scripts without
 * spaces, of a pair of characters. Terms are stored: after a change of this function, `wordsOf` or
 * `stem`, stored terms no longer match those of questions.
 */
export function createTermReader() {
  /** A cache, because few words make up most of a text. */
  const kept = new Map<string, number>();

  function termOf(word: string): number {
    const known = kept.get(word);
    if (known !== undefined) return known;
    const term = toTerm(word);
    if (kept.size >= MOST_WORDS_KEPT) kept.clear();
    if (word.length <= LONGEST_WORD_KEPT) kept.set(word, term);
    return term;
  }

  // It has its own cache.
  const asciiTermsOf = createAsciiTerms(toTerm);

  return {
    termOf,

    /** All terms of a text. */
    read(text: string): TermCounts {
      const found = isAscii(text) ? asciiTermsOf(text) : Int32Array.from(wordsOf(text), termOf);
      const all = found.sort();
      // Plain arrays: many short typed ones take long to collect as garbage.
      const [terms, counts]: [number[], number[]] = [[], []];
      let last = -1;
      for (let at = 0; at < all.length; at++) {
        const term = all[at] as number;
        if (terms[last] === term) counts[last] = (counts[last] as number) + 1;
        else {
          last = terms.push(term) - 1;
          counts.push(1);
        }
      }
      return { terms, counts, length: all.length };
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
 * The language of a question, as "war" is a function word in German but not in English: the one with
 * most function words in the question, but at least two.
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

function toTerm(word: string): number {
  return hashOf(stem(word)) % TERM_SPACE;
}

/** FNV-1a with MurmurHash3's finalizer: 32 bits, each of which depends on every character. */
function hashOf(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
