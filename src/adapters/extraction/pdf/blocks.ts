import { codeLength, codeOf } from './code.ts';
import { withDropCaps } from './drop-caps.ts';
import { type Line, linesOf } from './lines.ts';
import { joinOverlapping } from './overlapping-lines.ts';
import { regionsOf } from './reading-order.ts';
import { extentOf, type Run } from './run.ts';
import { isListItem, type Table, tableAt } from './tables.ts';

export type Block = TextBlock | TableBlock | { kind: 'code'; text: string } | { kind: 'contents' };

/** A heading, a paragraph or an item of a list. */
export interface TextBlock {
  kind: 'text';
  lines: string[];
  size: number;
  bold: boolean;
  /** From the left edge of the page or of its column, in points. */
  indent: number;
  /** From the line above, in line spacings. Infinite at the top of a region. */
  distance: number;
  /** Whether it begins with a bullet or a number. */
  item: boolean;
  /** Whether its first line has wide gaps, as in a table. */
  parted: boolean;
  /** Whether its direction differs from that of the page, as in a stamp. */
  aside: boolean;
}

export interface TableBlock extends Pick<Table, 'rows' | 'headed'> {
  kind: 'table';
}

/** In line spacings: a greater distance separates paragraphs. */
const PARAGRAPH_DISTANCE = 1.3;
/** In sizes of the text. */
const INDENT = 0.8;
const LEADERS = /(?:[.·…_]\s?){4,}\s*(?:[\divxlc]+(?:-\d+)?)?$/i;
const ENDS_IN_NUMBER = /\s[\divxlc]+$/i;
const ITEM = /^(?:[•‣◦▪●■○–—*·\p{Cc}\p{Co}-]|[([]?(?:\p{L}|\d{1,3})[.)\]])\s/u;
const SENTENCE_END = /[.!?:。！？]["”’»)\]]*$/;

/** The blocks of a page, or of the text in one direction, in reading order. */
export function blocksOf(runs: Run[]): Block[] {
  const regions = regionsOf(withDropCaps(runs)).map((region) => joinOverlapping(linesOf(region)));
  return regions.flatMap((lines) => blocksOfRegion(lines, regions.length > 1));
}

/** The text of a block in one line. */
export function textOf({ lines }: TextBlock): string {
  return lines.join(' ');
}

function blocksOfRegion(lines: Line[], isColumn: boolean): Block[] {
  const { left, right } = extentOf(lines);
  const leading = leadingOf(lines);
  const contents = contentsOf(lines);
  const blocks: Block[] = [];
  let paragraph: { block: TextBlock; first: Line; last: Line } | undefined;

  const goesOn = (line: Line, distance: number) => {
    if (!paragraph) return false;
    const { block, first, last } = paragraph;
    const indent = line.left - last.left;
    // Lines of a heading may be centred.
    const large = line.size > 0.95 * leading;
    const isShort = last.right < right - 0.25 * (right - left);
    return (
      Math.abs(line.size - block.size) < 0.6 &&
      line.font.bold === block.bold &&
      distance <= PARAGRAPH_DISTANCE &&
      !ITEM.test(line.text) &&
      (large || indent <= INDENT * line.size || (block.item && last === first)) &&
      (large || indent >= -INDENT * line.size || last === first) &&
      (large || !(isShort && SENTENCE_END.test(last.text)))
    );
  };

  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as Line;
    const before = lines[index - 1];
    const usual = Math.max(leading, 1.15 * line.size);
    const distance = before ? (line.y - before.y) / usual : Number.POSITIVE_INFINITY;
    const found = blockAt(lines, index, contents);
    if (found) {
      blocks.push(found.block);
      index += found.length;
      paragraph = undefined;
      continue;
    }
    if (paragraph && goesOn(line, distance)) {
      paragraph.block.lines.push(line.text);
      paragraph.last = line;
    } else {
      const block = textBlock(line, isColumn ? line.left - left : line.left, distance);
      blocks.push(block);
      paragraph = { block, first: line, last: line };
    }
    index += 1;
  }
  return blocks;
}

/** The block that begins with this line, if it is not plain text. */
function blockAt(
  lines: Line[],
  index: number,
  contents: Set<Line>,
): { block: Block; length: number } | undefined {
  const line = lines[index];
  if (line && contents.has(line)) return { block: { kind: 'contents' }, length: 1 };
  const code = codeLength(lines, index);
  if (code > 0) {
    return {
      block: { kind: 'code', text: codeOf(lines.slice(index, index + code)) },
      length: code,
    };
  }
  const table = tableAt(lines, index);
  if (!table) return undefined;
  const { rows, headed, length } = table;
  return { block: { kind: 'table', rows, headed }, length };
}

function textBlock(line: Line, indent: number, distance: number): TextBlock {
  const item = isListItem(line) || ITEM.test(line.text);
  const { text, size, font, hasWideGap: parted } = line;
  const { bold } = font;
  const aside = false;
  return { kind: 'text', lines: [text], size, bold, indent, distance, item, parted, aside };
}

/** The lines of a table of contents: those with leader dots and a number, and numbered ones between. */
function contentsOf(lines: Line[]): Set<Line> {
  const dotted = lines.flatMap(({ text }, index) => (LEADERS.test(text) ? [index] : []));
  if (dotted.length < 3) return new Set(dotted.map((index) => lines[index] as Line));
  const [first = 0, last = 0] = [dotted.at(0), dotted.at(-1)];
  return new Set(
    lines.filter(({ text }, index) => {
      const isNear = index >= first - 1 && index <= last + 1;
      return LEADERS.test(text) || (isNear && ENDS_IN_NUMBER.test(text));
    }),
  );
}

/** The median distance between lines, in points. */
function leadingOf(lines: Line[]): number {
  const distances = lines.slice(1).flatMap(({ y, size }, index) => {
    const distance = y - (lines[index]?.y ?? y);
    return distance < 2.5 * size ? [distance] : [];
  });
  const sorted = distances.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1.2 * (lines[0]?.size ?? 1);
}
