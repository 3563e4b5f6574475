import { readsRightToLeft } from './direction.ts';
import type { Font } from './fonts.ts';
import { extentOf, type Run } from './run.ts';

/** Text of a line that no gap interrupts which is wider than one between words. */
export interface Segment {
  text: string;
  left: number;
  right: number;
}

export interface Line extends Segment {
  segments: Segment[];
  /** Whether a gap of it is so wide that no prose has it. */
  hasWideGap: boolean;
  runs: Run[];
  y: number;
  /** Of most of its text. */
  size: number;
  font: Font;
}

/** In sizes of the text: no prose has wider gaps. */
export const WIDE_GAP = 1;
/** In sizes of the text: hardly any prose that is not justified has wider gaps. */
const GAP = 0.5;
/** The same, where the space is as wide as any letter. */
const MONOSPACED_GAP = 1.3;
/** In sizes of the text: a smaller gap is one within a word. */
const WORD_GAP = 0.16;
/** The same beside scripts that put no spaces between words. */
const UNSPACED_GAP = 0.6;
/** In sizes of the text: superscripts and subscripts are that far off their line. */
const SHIFT = 0.5;
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}。、，]/u;

/** The lines of a page or a part of it, from top to bottom. */
export function linesOf(runs: Run[]): Line[] {
  const lines: Run[][] = [];
  let anchor: Run | undefined;
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line && anchor && run.y - anchor.y <= SHIFT * Math.max(run.size, anchor.size)) {
      line.push(run);
      if (run.size > anchor.size) anchor = run;
    } else {
      lines.push([run]);
      anchor = run;
    }
  }
  return lines.map(lineOf);
}

/** A line with these runs on it. */
function lineOf(unordered: Run[]): Line {
  const { size, font, y } = mainRun(unordered);
  const runs = withoutShadows(unordered.toSorted((a, b) => a.left - b.left));
  const groups: Run[][] = [];
  let [right, hasWideGap] = [Number.NEGATIVE_INFINITY, false];
  for (const run of runs) {
    const group = groups.at(-1);
    const gap = (run.left - right) / Math.max(size, run.size);
    if (group && gap <= (run.font.monospaced ? MONOSPACED_GAP : GAP)) group.push(run);
    else groups.push([run]);
    hasWideGap ||= groups.length > 1 && gap > WIDE_GAP;
    right = Math.max(right, run.right);
  }
  const mirrored = runs[0]?.mirrored === true;
  const isAgainst = (readsRightToLeft(runs) ?? mirrored) !== mirrored;
  const segments = groups.map((group) => segmentOf(group, isAgainst));
  const ordered = isAgainst ? segments.toReversed() : segments;
  return {
    text: ordered.map(({ text }) => text).join(' '),
    left: runs[0]?.left ?? 0,
    right,
    segments: ordered,
    hasWideGap,
    runs,
    y,
    size,
    font,
  };
}

/** Whether two stretches of text are parted by a space where one follows the other. */
export function needSpace(before: string, after: string): boolean {
  return !(UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1)));
}

/** @param isAgainst whether the text is read from the last run to the first */
function segmentOf(runs: Run[], isAgainst: boolean): Segment {
  let text = '';
  let previous: Run | undefined;
  for (const run of isAgainst ? runs.toReversed() : runs) {
    if (previous && isWordGap(previous, run)) text += ' ';
    text += run.text;
    previous = run;
  }
  const { left, right } = extentOf(runs);
  return { text: text.replace(/\s+/g, ' ').trim(), left, right };
}

function isWordGap(a: Run, b: Run): boolean {
  const gap = Math.max(b.left - a.right, a.left - b.right);
  // Typesetters set numbers and Latin words a little apart from what has no spaces.
  const isUnspaced = UNSPACED.test(a.text.slice(-1)) || UNSPACED.test(b.text.slice(0, 1));
  const least = isUnspaced ? UNSPACED_GAP : WORD_GAP;
  return gap > least * Math.min(a.size, b.size);
}

/** Bold type is sometimes made by printing a text twice. */
function withoutShadows(runs: Run[]): Run[] {
  return runs.filter((run, index) => {
    const before = runs[index - 1];
    const same = before?.text === run.text && Math.abs(before.y - run.y) < 0.2 * run.size;
    return !same || run.left - before.left > 0.2 * run.size;
  });
}

function mainRun(runs: Run[]): Pick<Run, 'size' | 'font' | 'y'> {
  const longest = runs.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const [bold, monospaced] = (['bold', 'monospaced'] as const).map((trait) =>
    runs.every(({ font, text }) => font[trait] || !/[\p{L}\p{N}]/u.test(text)),
  );
  // Fonts for these scripts call themselves monospaced, as all their characters are equally wide.
  const letters = runs.flatMap(({ text }) => text.match(/\p{L}/gu) ?? []);
  const unspaced = letters.filter((letter) => UNSPACED.test(letter)).length;
  const isCode = monospaced === true && 2 * unspaced <= letters.length;
  const font = { bold: bold === true, monospaced: isCode };
  return { size: longest.size, y: longest.y, font };
}
