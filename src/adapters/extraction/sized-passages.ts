import { isAscii } from '../text-analysis/is-ascii.ts';
import type { CountTokens } from './count-tokens.ts';
import { blocksOf, CUTS } from './cut-text.ts';
import type { Origin, Passage } from './passage.ts';

/** A passage, or a part of a long one, with what is needed to place it in a chunk. */
export interface SizedPassage extends Passage {
  /** Tokens in the text and in the gap before it. */
  tokens: number;
  /** How suitable the position before it is for a chunk boundary. Higher is better. */
  boundary: number;
  /** Index of the first entry of `CUTS` to try when the passage has to be split. */
  cut: number;
}

const PARAGRAPH_BOUNDARY = CUTS.length + 2;
const LINE_BOUNDARY = CUTS.length;
/** In characters. Longer passages are split at once, which bounds the work done on one passage. */
const LONGEST_PASSAGE = 8_000;
/** In characters: an upper bound for a token of prose. */
const LONGEST_TOKEN = 12;
/** Before white space, and after a letter with its marks of a script that is written without spaces. */
const WORD_BOUNDARY =
  /(?=\s)(?<=\S)|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}])(?!\p{M})/u;
/** The parts between those boundaries in ASCII text, found ten times as fast. */
const ASCII_WORDS = /\s*\S+|\s+$/g;

/** Measures a passage. Returns several parts if it is longer than 8,000 characters. */
export function sizePassage(passage: Passage, count: CountTokens): SizedPassage[] {
  const boundary = boundaryBefore(passage);
  return blocksOf(passage.text, LONGEST_PASSAGE).map((text, index) =>
    withTokens(
      { ...passage, text, ...(index === 0 ? { boundary } : { gap: '', boundary: 0 }), cut: 0 },
      count,
    ),
  );
}

/** Splits a passage as coarsely as possible. Returns it unchanged if it cannot be split. */
export function splitPassage(passage: SizedPassage, count: CountTokens): SizedPassage[] {
  for (const [index, cutText] of CUTS.entries()) {
    const texts = index < passage.cut ? [] : cutText(passage.text);
    if (texts.length < 2) continue;
    const [cut, boundary] = [Math.min(index + 1, CUTS.length - 1), LINE_BOUNDARY - index];
    return texts.map((text, part) =>
      withTokens({ ...passage, text, cut, ...(part > 0 && { gap: '', boundary }) }, count),
    );
  }
  return [passage];
}

/** A passage that repeats text of the file, such as a heading. */
export function repeatedPassage(text: string, origin: Origin, count: CountTokens): SizedPassage {
  return withTokens({ text, origin, gap: '', boundary: 0, cut: 0 }, count);
}

/** Removes the white space that joined a part to the part before it. */
export function withoutLeadingSpace(passage: SizedPassage, count: CountTokens): SizedPassage {
  if (passage.gap) return passage;
  return withTokens({ ...passage, text: passage.text.replace(/^\s*\n|^\s+/, '') }, count);
}

/**
 * The end of a list of passages, to be repeated in the next chunk: as many whole passages as fit
 * in `limit` tokens or, if the last one does not fit, its last words.
 */
export function overlapOf(
  passages: SizedPassage[],
  limit: number,
  count: CountTokens,
): SizedPassage[] {
  let [start, left] = [passages.length, limit];
  for (
    let passage = passages[start - 1];
    passage && passage.tokens <= left;
    passage = passages[start - 1]
  ) {
    start -= 1;
    left -= passage.tokens;
  }
  const last = passages.at(-1);
  if (start < passages.length || !last || last.whole) return passages.slice(start);
  const words = lastWords(last.text, limit, count);
  return words ? [repeatedPassage(words, last.origin, count)] : [];
}

function lastWords(text: string, limit: number, count: CountTokens): string {
  // The first word may be incomplete and is dropped: the text has room for one more.
  const end = text.slice(-LONGEST_TOKEN * (limit + 1));
  const [, ...words] = (isAscii(end) ? end.match(ASCII_WORDS) : end.split(WORD_BOUNDARY)) ?? [];
  let first = words.length;
  for (let left = limit; first > 0; first -= 1) {
    left -= count(words[first - 1] ?? '');
    if (left < 0) break;
  }
  return words.slice(first).join('').trimStart();
}

function boundaryBefore({ gap, text }: Passage): number {
  if (gap === '') return 0;
  if (gap === '\n') return LINE_BOUNDARY;
  // In source code, an indented line belongs to the lines above it, even after an empty line.
  return /^\s/.test(text) ? PARAGRAPH_BOUNDARY - 1 : PARAGRAPH_BOUNDARY;
}

function withTokens(passage: Omit<SizedPassage, 'tokens'>, count: CountTokens): SizedPassage {
  // A text that begins with white space never shares a token with the text before it. Otherwise
  // tokens may merge differently once joined; one token more covers that and the line break.
  const joins = passage.gap !== '' || !/^\s/.test(passage.text);
  return { ...passage, tokens: count(passage.text) + (joins ? 1 : 0) };
}
