import type { Run } from './run.ts';

const LETTER = /\p{L}/gu;
const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/gu;

/**
 * Turns runs that are read from right to left over, so that what is read first has the smallest
 * `left`: columns, cells and indentation are then found as in any other text.
 */
export function inReadingDirection(runs: Run[]): Run[] {
  return readsRightToLeft(runs) ? runs.map(mirrored) : runs;
}

/** The run with its place on the page. */
export function asOnPage(run: Run): Run {
  return run.mirrored ? mirrored(run) : run;
}

/** Whether most letters are of a script that runs from right to left; undefined without letters. */
export function readsRightToLeft(runs: Pick<Run, 'text'>[]): boolean | undefined {
  const text = runs.map((run) => run.text).join('');
  const letters = count(text, LETTER);
  return letters > 0 ? 2 * count(text, RIGHT_TO_LEFT) > letters : undefined;
}

function mirrored(run: Run): Run {
  return { ...run, left: -run.right, right: -run.left, mirrored: !run.mirrored };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Fonts draw lam and alef as one glyph, whose letters pdf.js puts the wrong way round. Mended where
 * the outcome is no Arabic: an alef after an alef, and the article without a word.
 */
export function withLamAlef(text: string): string {
  return text
    .replace(/\u0627([\u0622\u0623\u0625\u0627])\u0644/g, '\u0627\u0644$1')
    .replace(/(?<![\p{L}\p{M}])([\u0648\u0641]?)\u0627\u0644(?![\p{L}\p{M}])/gu, '$1\u0644\u0627');
}

/** Letters of Arabic in the shape that they have at one place of a word. */
const SHAPED = /[\ufb50-\ufbb1\ufbd3-\ufc5d\ufc64-\ufdfb\ufe80-\ufefc]+/g;

/** The letters as they are typed. Fonts name the shapes that they draw, as in PDFs that Chromium prints. */
export function withPlainLetters(text: string): string {
  return text.replace(SHAPED, (letters) => letters.normalize('NFKC'));
}
