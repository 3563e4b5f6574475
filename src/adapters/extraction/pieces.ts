import type { CountTokens } from './count-tokens.ts';
import { blocksOf, CUTS } from './cut-text.ts';
import type { Origin, Passage } from './passage.ts';

/** What chunks are packed from: a passage, or a part of one that had to be cut. */
export interface Piece extends Passage {
  /** Tokens of the text and of the gap before it. */
  tokens: number;
  /** How good it is to begin a chunk with it: higher is better. */
  border: number;
  /** Which of `CUTS` is next when it is too long. */
  cut: number;
}

const PARAGRAPH_BORDER = CUTS.length + 2;
const LINE_BORDER = CUTS.length;
/** In characters: longer ones are cut at once, so that no work is ever done on a whole book. */
const LONGEST_PASSAGE = 8_000;
/** In characters; no word of prose has more a token. */
const LONGEST_TOKEN = 12;
/** Before white space, and after a letter of the scripts that do without. */
const WORD_BORDER =
  /(?=\s)(?<=\S)|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}])/u;

export function piecesOf(passage: Passage, count: CountTokens): Piece[] {
  const border = borderBefore(passage);
  return blocksOf(passage.text, LONGEST_PASSAGE).map((text, index) =>
    weighed(
      { ...passage, text, ...(index === 0 ? { border } : { gap: '', border: 0 }), cut: 0 },
      count,
    ),
  );
}

/** A piece cut in smaller ones, as coarsely as possible; itself when nothing can cut it. */
export function smallerPieces(piece: Piece, count: CountTokens): Piece[] {
  for (const [index, cutText] of CUTS.entries()) {
    const texts = index < piece.cut ? [] : cutText(piece.text);
    if (texts.length < 2) continue;
    const [cut, border] = [Math.min(index + 1, CUTS.length - 1), LINE_BORDER - index];
    return texts.map((text, part) =>
      weighed({ ...piece, text, cut, ...(part > 0 && { gap: '', border }) }, count),
    );
  }
  return [piece];
}

/** A piece of its own, such as a heading that is repeated. */
export function newPiece(text: string, origin: Origin, count: CountTokens): Piece {
  return weighed({ text, origin, gap: '', border: 0, cut: 0 }, count);
}

/** A piece without the white space that joined it to the one before. */
export function asFirst(piece: Piece, count: CountTokens): Piece {
  if (piece.gap) return piece;
  return weighed({ ...piece, text: piece.text.replace(/^\s*\n|^\s+/, '') }, count);
}

/** The last pieces, or else the last words, as many as `limit` tokens hold. */
export function lastOf(pieces: Piece[], limit: number, count: CountTokens): Piece[] {
  let [first, left] = [pieces.length, limit];
  for (let piece = pieces[first - 1]; piece && piece.tokens <= left; piece = pieces[first - 1]) {
    first -= 1;
    left -= piece.tokens;
  }
  const last = pieces.at(-1);
  if (first < pieces.length || !last || last.whole) return pieces.slice(first);
  const words = lastWords(last.text, limit, count);
  return words ? [newPiece(words, last.origin, count)] : [];
}

function lastWords(text: string, limit: number, count: CountTokens): string {
  // One more token than asked: the first word may be cut, and is left out.
  const [, ...words] = text.slice(-LONGEST_TOKEN * (limit + 1)).split(WORD_BORDER);
  let first = words.length;
  for (let left = limit; first > 0; first -= 1) {
    left -= count(words[first - 1] ?? '');
    if (left < 0) break;
  }
  return words.slice(first).join('').trimStart();
}

function borderBefore({ gap, text }: Passage): number {
  if (gap === '') return 0;
  if (gap === '\n') return LINE_BORDER;
  // In source code an indented line belongs to what is above it, across an empty line too.
  return /^\s/.test(text) ? PARAGRAPH_BORDER - 1 : PARAGRAPH_BORDER;
}

function weighed(piece: Omit<Piece, 'tokens'>, count: CountTokens): Piece {
  // White space begins a new word of the encoding. Anything else may merge with what is before it:
  // one token is the allowance for that, as it is the price of a line break.
  const joins = piece.gap !== '' || !/^\s/.test(piece.text);
  return { ...piece, tokens: count(piece.text) + (joins ? 1 : 0) };
}
