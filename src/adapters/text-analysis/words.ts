import { COMMON_WORDS, FUNCTION_WORDS } from './frequent-words.ts';
import { isAscii } from './is-ascii.ts';

/**
 * The words of a text in order: in lower case, without accents, numbers without thousands
 * separators. Scripts without spaces, and Korean, whose particles are attached to words, are divided
 * into pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const folded = fold(text);
  for (const word of folded.match(isAscii(folded) ? ASCII_WORD : WORD) ?? []) {
    if (isUnspaced(word)) words.push(...word.split(PARTICLE).flatMap(characterPairs));
    else words.push(plainNumber(word));
  }
  return words;
}

const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .concat('ー々')
  .join('');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'v');
/** The first code point of these scripts (Thai). A fast test for most words. */
const FIRST_UNSPACED = 0x0e00;

function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) >= FIRST_UNSPACED && IS_UNSPACED.test(word);
}

/** A number with its separators, a run of an unspaced script, or a word. */
const WORD = new RegExp(
  `\\d+(?:[.,]\\d+)+|[${UNSPACED}]+|[[\\p{L}\\p{M}\\p{N}]--[${UNSPACED}]]+`,
  'gv',
);
/** The same for ASCII text, four times as fast. */
const ASCII_WORD = /\d+(?:[.,]\d+)+|[a-z\d]+/g;

/** Lower case, without the accents of Latin, Greek and Cyrillic letters. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .replace(EXCESS_MARKS, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * The marks of a letter after the first 30. Text in use has fewer (UAX #15, Stream-Safe Text Format), and
 * normalising takes time quadratic in their number.
 */
const EXCESS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Characters that separate Chinese words: a pair across them would not be a word. */
const PARTICLE = /的|了|吗|呢|多少钱?|什么|哪[里儿些个]|怎么|时候/;

function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

const LAST_DIGIT = 0x39;

/** Makes 12,500 and 12.500 the same number, and 3.7 and 3,7. */
export function plainNumber(word: string): string {
  if (word.charCodeAt(0) > LAST_DIGIT || !/[.,]/.test(word)) return word;
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(word) ? word.replace(/[.,]/g, '') : word.replace(/,/g, '.');
}

/**
 * How informative a word of `wordsOf` is, 0 to 1.3. In place of frequencies in a corpus, it uses
 * tables of frequent words, the length of the word, and digits.
 */
export function weightOf(word: string): number {
  if (FUNCTION.has(word)) return 0.05;
  if (COMMON.has(word)) return COMMON_WEIGHT;
  if (isUnspaced(word)) return weightOfPair(word);
  if (/\d/.test(word)) return word.length > 1 ? 1 : 0.5;
  if (word.length < 3) return 0.3;
  return Math.min(0.75 + 0.05 * word.length, 1.3);
}

const COMMON_WEIGHT = 0.45;
const COMMON = languagesByWord(COMMON_WORDS);
const FUNCTION = languagesByWord(FUNCTION_WORDS);

function languagesByWord(table: Record<string, string>): Map<string, string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(table)) {
    for (const word of words.trim().split(/\s+/)) {
      languages.set(word, [...(languages.get(word) ?? []), language]);
    }
  }
  return languages;
}

/** Kana between the kanji of Japanese are mostly grammatical. */
function weightOfPair(pair: string): number {
  if (GRAMMATICAL.test(pair)) return 0.1;
  return /[ぁ-ん]/.test(pair) ? 0.4 : 0.8;
}

/** Grammatical and interrogative pairs of Japanese, Chinese and Korean. */
const GRAMMATICAL = new RegExp(
  [
    '^[ぁ-ん]+$|[何誰]',
    '[吧么什哪谁怎是在和与及或就也都很这那您你我他她它们个几]',
    '까지|부터|에서|으로|니까|니다|습니|입니|합니|어디|얼마|무엇|언제|누구',
  ].join('|'),
);

/** Whether a word is informative at all. */
export function isContent(word: string): boolean {
  return weightOf(word) > 0.2;
}

/** Whether a word is so common that many unrelated texts contain it. */
export function isCommon(word: string): boolean {
  return weightOf(word) <= COMMON_WEIGHT;
}

/** The languages or the script that a word indicates. Most content words indicate none. */
export function languagesOf(word: string): readonly string[] {
  const languages = FUNCTION.get(word);
  if (languages) return languages;
  if (/^\p{ASCII}/u.test(word)) return [];
  return SCRIPTS.filter(([, letters]) => letters.test(word)).map(([script]) => script);
}

const SCRIPTS = [
  ['hangul', /\p{Script=Hangul}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['han', /^\p{Script=Han}+$/u],
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['greek', /\p{Script=Greek}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['hebrew', /\p{Script=Hebrew}/u],
  ['thai', /\p{Script=Thai}/u],
  ['devanagari', /\p{Script=Devanagari}/u],
] as const;
