/** Whether a word, in lower case, occurs elsewhere in the document. */
export type HasWord = (word: string) => boolean;

/** The ASCII hyphen, the typographic hyphen and the soft hyphen. */
const AT_END = /(?<![\p{L}\p{M}])([\p{L}\p{M}]+)[-\u2010\u00ad]$/u;
const AT_START = /^([\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*)/u;
const WORD = /[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu;
const HYPHENS = /\u2010/g;

/**
 * Joins two lines if a word is hyphenated between them. The hyphen is removed unless it belongs to
 * the word: if the document contains the word with a hyphen or, if it contains neither form, both
 * parts as words. Returns `undefined` if no word is hyphenated.
 */
export function joinCutWord(before: string, after: string, has: HasWord): string | undefined {
  const first = AT_END.exec(before)?.[1];
  const second = AT_START.exec(after)?.[1];
  if (!first || !second) return undefined;
  // A capital letter begins another word, unless the text is in capitals.
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
