import { type Line, type Segment, WIDE_GAP } from './lines.ts';

export interface Table {
  /** The cells of each row, the empty ones too. */
  rows: string[][];
  /** Whether its first row is in bold type, and the next is not. */
  headed: boolean;
  /** In lines. */
  length: number;
}

interface Column {
  left: number;
  right: number;
}

/** In sizes of the text: rows further apart are not of one table. */
const FARTHEST = 4;
/** The share of a column's width that a line fills if its text continues below. */
const FULL = 0.7;
/** In sizes of the text: a larger line below a table is a heading. */
const LARGEST = 1.1;
/** In points: so much may columns overlap. */
const OVERLAP = 1;
/** Lines in a row that have text in a single column. */
const MOST_SINGLE = 4;
/** Numbers and the like do not go on in the next line. */
const WORDS = /\p{L}{2}/u;
const MARKER = /^(?:[•‣◦▪●■○–—*·\p{Cc}\p{Co}-]|[([]?(?:\p{L}|\d{1,3})[.)\]])$/u;

/** The table that begins with this line, if any: several lines with aligned segments. */
export function tableAt(lines: Line[], start: number): Table | undefined {
  const { columns, length } = columnsFrom(lines, start);
  const block = lines.slice(start, start + length);
  const several = block.filter(({ segments }) => segments.length > 1);
  if (columns.length < 2 || several.length < 2) return undefined;
  const [first, second] = block;
  return {
    rows: rowsOf(block, columns),
    headed: first?.font.bold === true && second?.font.bold === false,
    length,
  };
}

/** Whether a line is a bullet or number followed by text. */
export function isListItem({ segments }: Line): boolean {
  return segments.length === 2 && MARKER.test(segments[0]?.text ?? '');
}

/** The columns shared by the lines from `start`, and the number of such lines. */
function columnsFrom(lines: Line[], start: number): { columns: Column[]; length: number } {
  let [columns, length, end]: [Column[], number, number] = [[], 0, start];
  for (let line = lines[end]; line; line = lines[end]) {
    const before = end > start ? lines[end - 1] : undefined;
    if (before && line.y - before.y > FARTHEST * line.size) break;
    if (!line.hasWideGap && end === start) break;
    if (isListItem(line) || line.font.monospaced) break;
    const wider = withLine(columns, line, end - start < 3);
    if (!wider) break;
    columns = wider;
    end += 1;
    const [only, ...others] = line.segments;
    // A line of one part ends a table only if it goes on with a cell.
    const goesOn = before && line.size <= LARGEST * before.size;
    if (others.length > 0 || (only && goesOn && continuesAny(only, before, columns, true))) {
      length = end - start;
    } else if (end - start - length > MOST_SINGLE) {
      break;
    }
  }
  return { columns, length };
}

/** The columns extended by another line; `undefined` if it does not fit. */
function withLine(columns: Column[], line: Line, isBeginning: boolean): Column[] | undefined {
  const { hasWideGap, size } = line;
  const leastGap = isBeginning ? 0 : WIDE_GAP * size;
  if (columns.length === 0) return line.segments.map(({ left, right }) => ({ left, right }));
  const segments = line.segments.flatMap((segment) => partsOf(segment, columns, size));
  const next = columns.map((column) => ({ ...column }));
  const below = new Map<Column, Segment[]>();
  const added: Column[] = [];
  for (const segment of segments) {
    const over = next.filter((column) => overlap(column, segment));
    const [only, ...others] = over;
    // What spans several columns is a title within a table, or a text after it.
    if (others.length > 0 && !hasWideGap) return undefined;
    if (others.length > 0) continue;
    if (only) below.set(only, [...(below.get(only) ?? []), segment]);
    else added.push({ left: segment.left, right: segment.right });
  }
  for (const [column, under] of below) {
    const gaps = under.slice(1).map(({ left }, index) => left - (under[index]?.right ?? left));
    if (Math.max(0, ...gaps) > leastGap) {
      // The column is the title of several.
      if (!isBeginning) return undefined;
      next.splice(next.indexOf(column), 1, ...under.map(({ left, right }) => ({ left, right })));
    } else {
      column.left = Math.min(column.left, ...under.map(({ left }) => left));
      column.right = Math.max(column.right, ...under.map(({ right }) => right));
    }
  }
  const all = [...next, ...added].toSorted((a, b) => a.left - b.left);
  const apart = all.every((column, index) => {
    const before = all[index - 1];
    return !before || before.right <= column.left + OVERLAP;
  });
  return apart ? all : undefined;
}

function rowsOf(lines: Line[], columns: Column[]): string[][] {
  const rows: string[][] = [];
  const distances = lines.slice(1).map(({ y }, index) => y - (lines[index]?.y ?? y));
  const least = Math.min(...distances);
  const uneven = Math.max(...distances) > 1.25 * least;
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1);
    const before = lines[index - 1];
    const near = (distances[index - 1] ?? 0) <= Math.min(1.15 * least, 1.6 * line.size);
    const placed = line.segments
      .flatMap((segment) => partsOf(segment, columns, line.size))
      .map((segment) => ({ segment, column: columnOf(segment, columns) }));
    const inFirst = placed.some(({ column }) => column === 0);
    const continues =
      row &&
      before &&
      near &&
      (uneven || !inFirst) &&
      placed.every(({ segment }) => continuesAny(segment, before, columns, placed.length === 1));
    const cells = continues ? row : columns.map(() => '');
    for (const { segment, column } of placed) {
      cells[column] = [cells[column], segment.text].filter(Boolean).join('\n');
    }
    if (!continues) rows.push(cells);
  }
  return rows;
}

/** Whether a text continues a cell of the line before, which is full and consists of words. */
function continuesAny(
  segment: Segment,
  before: Line,
  columns: Column[],
  isAlone: boolean,
): boolean {
  const column = columns[columnOf(segment, columns)];
  const above = before.segments.find(
    (cell) => column === columns[columnOf(cell, columns)] && overlap(cell, segment),
  );
  if (!column || !above || !WORDS.test(above.text) || !WORDS.test(segment.text)) return false;
  const width = column.right - column.left;
  if (above.right - column.left >= FULL * width) return true;
  // The first word did not fit in the line before.
  const [word = ''] = segment.text.split(' ');
  const letter = (segment.right - segment.left) / segment.text.length;
  return (
    isAlone && column !== columns[0] && above.right + (word.length + 1) * letter > column.right
  );
}

/** Splits a text that spans several columns into words, if each aligns with a column. */
function partsOf(segment: Segment, columns: Column[], size: number): Segment[] {
  const over = columns.filter((column) => overlap(column, segment));
  const words = segment.text.split(' ');
  if (over.length < 2 || over.length !== words.length) return [segment];
  const width = (segment.right - segment.left) / segment.text.length;
  let left = segment.left;
  const parts = words.map((text) => {
    const part = { text, left, right: left + width * text.length };
    left = part.right + width;
    return part;
  });
  const aligned = parts.every((part, index) => {
    const column = over[index] ?? part;
    const edges = [part.left - column.left, part.right - column.right];
    return Math.min(...edges.map(Math.abs)) < size / 2;
  });
  return aligned ? parts : [segment];
}

function columnOf(segment: Segment, columns: Column[]): number {
  return Math.max(
    0,
    columns.findIndex((column) => overlap(column, segment)),
  );
}

function overlap(a: Column, b: Column): boolean {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left) > OVERLAP;
}
