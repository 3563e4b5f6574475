import type { AnswerPiece } from '../../src/core/citation-marks.ts';

/** The text of an answer's pieces, without its marks. */
export function textsOf(pieces: AnswerPiece[]): string[] {
  return pieces.filter((piece) => typeof piece === 'string');
}
