import { asSuperscript } from '../superscript.ts';
import { readsRightToLeft } from './direction.ts';
import type { Font } from './fonts.ts';
import { extentOf, type Run } from './run.ts';

/** A part of a line without gaps wider than a space. */
export interface Segment {
  text: string;
  left: number;
  right: number;
}

export interface Line extends Segment {
  segments: Segment[];
  /** Whether it has a gap that is too wide for prose. */
  hasWideGap: boolean;
  runs: Run[];
  y: number;
  /** Of most of its text. */
  size: number;
  font: Font;
}

/** In font sizes: prose has no wider gaps. */
export const WIDE_GAP = 1;
/** In font sizes: unjustified prose rarely has wider gaps. */
const GAP = 0.5;
/** The same for monospaced fonts. */
const MONOSPACED_GAP = 1.3;
/** In font sizes: smaller gaps are within a word. */
const WORD_GAP = 0.16;
/** The same next to a script without spaces. */
const UNSPACED_GAP = 0.6;
/** In font sizes: the maximum offset of superscripts and subscripts from the baseline. */
const SHIFT = 0.5;
/** Of the size of the text: the maximum of a superscript, and how far it is raised at least. */
const [RAISED_SIZE, RAISED] = [0.85, 0.15];
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}。、，]/u;

/** Groups the runs of a page, or of a part of it, into lines from top to bottom. */
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

/** Creates a line from its runs. */
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

/** Whether there is a space between two consecutive texts. */
export function needSpace(before: string, after: string): boolean {
  return !(UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1)));
}

/** @param isAgainst whether the text is read from the last run to the first, as in right-to-left scripts */
function segmentOf(runs: Run[], isAgainst: boolean): Segment {
  let text = '';
  let previous: Run | undefined;
  for (const run of isAgainst ? runs.toReversed() : runs) {
    if (previous && isWordGap(previous, run)) text += ' ';
    text += previous && isRaised(run, previous) ? asSuperscript(run.text, text) : run.text;
    previous = run;
  }
  const { left, right } = extentOf(runs);
  return { text: text.replace(/\s+/g, ' ').trim(), left, right };
}

function isRaised(run: Run, before: Run): boolean {
  return run.size <= RAISED_SIZE * before.size && before.y - run.y >= RAISED * before.size;
}

function isWordGap(a: Run, b: Run): boolean {
  const gap = Math.max(b.left - a.right, a.left - b.right);
  // Numbers and Latin words are often set slightly apart from scripts without spaces.
  const isUnspaced = UNSPACED.test(a.text.slice(-1)) || UNSPACED.test(b.text.slice(0, 1));
  const least = isUnspaced ? UNSPACED_GAP : WORD_GAP;
  return gap > least * Math.min(a.size, b.size);
}

/** Some documents print text twice to make it bold. */
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
  // Fonts for these scripts are marked as monospaced, because their characters have equal widths.
  const letters = runs.flatMap(({ text }) => text.match(/\p{L}/gu) ?? []);
  const unspaced = letters.filter((letter) => UNSPACED.test(letter)).length;
  const isCode = monospaced === true && 2 * unspaced <= letters.length;
  const font = { bold: bold === true, monospaced: isCode };
  return { size: longest.size, y: longest.y, font };
}
