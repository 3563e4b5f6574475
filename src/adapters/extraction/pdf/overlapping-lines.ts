import { type Line, type Segment, WIDE_GAP } from './lines.ts';
import { extentOf } from './run.ts';

/** A text with the line that it is from. */
interface Piece extends Segment {
  line: Line;
}

/** In sizes of the text: lines that are nearer overlap. */
const NEAREST = 0.8;
/** More lines that overlap are columns of text whose lines are at different heights. */
const MOST_LINES = 12;

/**
 * Joins lines that overlap, as in the row of a table whose cells are centred and have different
 * numbers of lines. Such a row is one line, in which the texts of a cell follow each other.
 */
export function joinOverlapping(lines: Line[]): Line[] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && overlap(before, line)) group.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => joined(group) ?? group);
}

/** Undefined if the lines are not cells beside each other. */
function joined(lines: Line[]): Line | undefined {
  if (lines.length < 2 || lines.length > MOST_LINES) return undefined;
  const cells = cellsOf(lines);
  const areWhole = cells.every((pieces) =>
    pieces.every(({ line }, index) => {
      const before = pieces[index - 1]?.line;
      return !before || (before !== line && !overlap(before, line));
    }),
  );
  const segments = cells.map((pieces) => {
    const { left, right } = extentOf(pieces.map((piece) => ({ ...piece, y: piece.line.y })));
    return { text: pieces.map(({ text }) => text).join('\n'), left, right };
  });
  const gaps = segments.slice(1).map(({ left }, index) => left - (segments[index]?.right ?? left));
  const longest = lines.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  if (!areWhole || Math.max(0, ...gaps) <= WIDE_GAP * longest.size) return undefined;
  return {
    ...longest,
    ...{ segments, hasWideGap: true },
    text: segments.map(({ text }) => text.replaceAll('\n', ' ')).join(' '),
    left: segments[0]?.left ?? longest.left,
    right: segments.at(-1)?.right ?? longest.right,
    runs: lines.flatMap(({ runs }) => runs),
    y: ((lines[0]?.y ?? 0) + (lines.at(-1)?.y ?? 0)) / 2,
  };
}

/** The texts of the lines by the columns that they share, from left to right. */
function cellsOf(lines: Line[]): Piece[][] {
  const pieces = lines.flatMap((line) => line.segments.map((segment) => ({ ...segment, line })));
  const cells: Piece[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const piece of pieces.toSorted((a, b) => a.left - b.left)) {
    if (piece.left < right) cells.at(-1)?.push(piece);
    else cells.push([piece]);
    right = Math.max(right, piece.right);
  }
  return cells.map((cell) => cell.toSorted((a, b) => a.line.y - b.line.y));
}

function overlap(above: Line, below: Line): boolean {
  return below.y - above.y < NEAREST * Math.min(above.size, below.size);
}
