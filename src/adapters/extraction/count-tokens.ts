import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { isAscii } from '../text-analysis/is-ascii.ts';
import { createWordCache } from '../text-analysis/word-cache.ts';
import { endOfTokenWord } from './ascii-token-words.ts';
import { partsOf } from './cut-text.ts';

export type CountTokens = (text: string) => number;

/** Byte pair encoding takes quadratic time in a word's length: longer words are counted in parts. */
const LONGEST_WORD = 48;
const MOST_KNOWN_WORDS = 50_000;
/** Nothing is special in a user's text: `<|endoftext|>` is seven ordinary tokens. */
const NOTHING_SPECIAL = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * Counts cl100k tokens, several times as fast as gpt-tokenizer: it remembers the words of the text,
 * which repeat. Never too few; a few too many where a word has more than 48 characters.
 */
export function createTokenCounter(): CountTokens {
  // gpt-tokenizer's own memory of words becomes slower than none at all once it is full.
  setMergeCacheSize(0);
  const known = new Map<string, number>();
  const tokensAt = createWordCache(tokensOf);
  let buffer = Buffer.allocUnsafe(16_384);

  return (text) => (isAscii(text) ? countAscii(text) : countAny(text));

  function countAscii(text: string): number {
    if (buffer.length < text.length) buffer = Buffer.allocUnsafe(2 * text.length);
    const end = buffer.write(text, 'latin1');
    let tokens = 0;
    for (let start = 0; start < end; ) {
      const endOfWord = endOfTokenWord(buffer, start, end);
      tokens += tokensAt(buffer, start, endOfWord);
      start = endOfWord;
    }
    return tokens;
  }

  function countAny(text: string): number {
    let tokens = 0;
    for (const word of text.match(CL100K_TOKEN_SPLIT_REGEX) ?? []) tokens += tokensOf(word);
    return tokens;
  }

  function tokensOf(word: string): number {
    const before = known.get(word);
    if (before !== undefined) return before;
    const tokens = countWord(word);
    if (known.size >= MOST_KNOWN_WORDS) known.clear();
    // A copy: a slice of a text would keep the whole text in memory.
    if (word.length <= LONGEST_WORD) known.set(` ${word}`.slice(1), tokens);
    return tokens;
  }
}

function countWord(word: string): number {
  if (word.length <= LONGEST_WORD) return countTokens(word, NOTHING_SPECIAL);
  const parts = partsOf(word, LONGEST_WORD);
  // Merges across the borders of the parts may differ: one token a part is the allowance for it.
  return parts.reduce((tokens, part) => tokens + 1 + countTokens(part, NOTHING_SPECIAL), 0);
}
