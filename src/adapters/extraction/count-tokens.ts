import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { partsOf } from './cut-text.ts';

export type CountTokens = (text: string) => number;

/** Byte pair encoding takes quadratic time in a word's length: longer words are counted in parts. */
const LONGEST_WORD = 48;
const MOST_KNOWN_WORDS = 50_000;
/** Nothing is special in a user's text: `<|endoftext|>` is seven ordinary tokens. */
const NOTHING_SPECIAL = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
/** What the encoding's own expression matches in ASCII text, without its slow Unicode classes. */
const ASCII_WORDS =
  /'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\nA-Za-z0-9]?[A-Za-z]+|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Counts cl100k tokens, two to three times as fast as gpt-tokenizer: it remembers the words of the
 * text, which repeat. Never too few; a few too many where a word has more than 48 characters.
 */
export function createTokenCounter(): CountTokens {
  // gpt-tokenizer's own memory of words becomes slower than none at all once it is full.
  setMergeCacheSize(0);
  const known = new Map<string, number>();

  function countNewWord(word: string): number {
    const tokens = countWord(word);
    if (known.size >= MOST_KNOWN_WORDS) known.clear();
    // A copy: a slice of a text would keep the whole text in memory.
    if (word.length <= LONGEST_WORD) known.set(` ${word}`.slice(1), tokens);
    return tokens;
  }

  return (text) => {
    const words = text.match(NOT_ASCII.test(text) ? CL100K_TOKEN_SPLIT_REGEX : ASCII_WORDS) ?? [];
    let tokens = 0;
    for (const word of words) tokens += known.get(word) ?? countNewWord(word);
    return tokens;
  };
}

function countWord(word: string): number {
  if (word.length <= LONGEST_WORD) return countTokens(word, NOTHING_SPECIAL);
  const parts = partsOf(word, LONGEST_WORD);
  // Merges across the borders of the parts may differ: one token a part is the allowance for it.
  return parts.reduce((tokens, part) => tokens + 1 + countTokens(part, NOTHING_SPECIAL), 0);
}
