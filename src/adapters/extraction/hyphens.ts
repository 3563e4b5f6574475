/** Tells whether a document has a word, in lower case, somewhere else. */
export type HasWord = (word: string) => boolean;

/** The hyphens of keyboards and of typesetting, and the soft one. */
const AT_END = /([\p{L}\p{M}]+)[-\u2010\u00ad]$/u;
const AT_START = /^([\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*)/u;
const WORD = /[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu;
const HYPHENS = /\u2010/g;

/**
 * How the end of a line and the beginning of the next one are joined, when a word is cut in two
 * between them: without the hyphen, unless the hyphen is the word's own. That is so when the
 * document has the word with a hyphen elsewhere or, where it has neither form, both parts as words.
 * Nothing when no word is cut.
 */
export function joinCutWord(before: string, after: string, has: HasWord): string | undefined {
  const first = AT_END.exec(before)?.[1];
  const second = AT_START.exec(after)?.[1];
  if (!first || !second) return undefined;
  // What begins with a capital is another word, but in a text of capitals.
  const goesOn = /^\p{Ll}/u.test(second) || /^\p{Lu}{2,} \p{Lu}{2,}/u.test(`${first} ${second}`);
  if (!goesOn) return undefined;
  const isSoft = before.endsWith('\u00ad');
  const stem = before.slice(0, -1);
  return isSoft || !hasHyphen(first, second, has) ? stem + after : `${stem}-${after}`;
}

/** The words of a text, in lower case, for `joinCutWord`. */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map(plain);
}

function hasHyphen(first: string, second: string, has: HasWord): boolean {
  if (has(plain(first + second))) return false;
  return has(plain(`${first}-${second}`)) || (has(plain(first)) && has(plain(second)));
}

function plain(word: string): string {
  return word.toLowerCase().replace(HYPHENS, '-');
}
