import { type Block, type TextBlock, textOf } from './blocks.ts';
import { type Body, levelsOf, NUMBER, rounded, typeOf } from './heading-levels.ts';
import { type Outline, outlineKey } from './outline.ts';

export interface PageBlocks {
  /** Counts from 1. */
  page: number;
  blocks: Block[];
}

interface Look {
  body: Body;
  /** The indentations of bold lines that are terms rather than headings. */
  terms: Set<string>;
}

/** In characters. */
const LONGEST = 200;
const MOST_LINES = 3;
/** `Chapter 1`, above the heading of a chapter. */
export const LABEL = /^\p{L}+\s(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])[.:]?$/u;
const CAPTION = /^(?:table|figure|fig|listing|tabelle|abbildung|abb|tableau|tabla|figura)\b\.?\s/iu;
const CAPITALS = /^[\p{Lu}\p{N}\s\p{P}]*\p{Lu}{4}[\p{Lu}\p{N}\s\p{P}]*$/u;

/**
 * Finds the headings of a document and their levels: by its outline or, without an entry there, by
 * font size and weight, by numbers such as 1.1, and by indentation.
 */
export function findHeadings(pages: PageBlocks[], outline: Outline): Map<TextBlock, number> {
  const body = bodyOf(pages);
  const look = { body, terms: termsOf(pages, body) };
  const known = new Map<TextBlock, number>();
  const headings: TextBlock[] = [];
  for (const { page, blocks } of pages) {
    const front = page === 1 ? frontOf(blocks) : [];
    for (const block of blocks) {
      if (block.kind !== 'text') continue;
      const depth =
        outline.get(outlineKey(page, textOf(block))) ?? depthBelowNumber(outline, page, block);
      // Level 1 is reserved for the title of the document.
      if (depth !== undefined) known.set(block, depth + 1);
      const isLine = front.includes(block);
      if (depth !== undefined || (!isLine && isHeading(block, look))) {
        headings.push(block);
      }
    }
  }
  return levelsOf(headings, known, body);
}

/** The font size and indentation of most of the text. */
function bodyOf(pages: PageBlocks[]): Body {
  const letters = new Map<string, { style: Body; count: number }>();
  for (const block of pages.flatMap(({ blocks }) => blocks)) {
    if (block.kind !== 'text') continue;
    const style = { size: rounded(block.size), bold: block.bold, indent: Math.round(block.indent) };
    const key = Object.values(style).join(' ');
    const count = (letters.get(key)?.count ?? 0) + textOf(block).length;
    letters.set(key, { style, count });
  }
  const [most] = [...letters.values()].toSorted((a, b) => b.count - a.count);
  return most?.style ?? { size: 1, bold: false, indent: 0 };
}

/** Lines below the title on the first page, such as names and dates, that are larger than the text. */
function frontOf(blocks: Block[]): Block[] {
  const texts = blocks.filter((block) => block.kind === 'text');
  const end = texts.findIndex(
    (block) => textOf(block).length > LONGEST || NUMBER.test(textOf(block)),
  );
  const front = texts.slice(0, end < 0 ? undefined : end);
  const largest = Math.max(...front.map(({ size }) => size));
  return front.filter(({ size, bold }) => size < largest && !bold);
}

function isHeading(block: TextBlock, { body, terms }: Look): boolean {
  const text = textOf(block);
  const numbered = NUMBER.test(text);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (text.length > LONGEST || block.lines.length > MOST_LINES || letters < 2) return false;
  if (/[,;]$/.test(text) || (/[.:]$/.test(text) && !numbered)) return false;
  if (block.aside || ((block.item || block.parted) && !numbered)) return false;
  if (block.size >= 1.12 * body.size) return true;
  return isStrong(block, body) && !CAPTION.test(text) && !terms.has(placeOf(block));
}

/** Whether a block is a single line in bold or capitals. */
function isStrong(block: TextBlock, body: Body): boolean {
  const strong = (block.bold && !body.bold) || CAPITALS.test(textOf(block));
  const apart = block.distance >= 1.15 && block.lines.length === 1;
  return strong && apart && block.size >= 0.93 * body.size;
}

/**
 * The indentations at which bold lines are terms rather than headings: they start where other text
 * does, and are followed by indented explanations.
 */
function termsOf(pages: PageBlocks[], body: Body): Set<string> {
  const votes = new Map<string, number>();
  /** How many other texts there are, by where they begin, and in all. */
  const texts = new Map<number, number>();
  let all = 0;
  for (const { blocks } of pages) {
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== 'text') continue;
      if (!block.bold) {
        all += 1;
        texts.set(indentOf(block), (texts.get(indentOf(block)) ?? 0) + 1);
      }
      if (!isStrong(block, body)) continue;
      const next = blocks[index + 1];
      const isTerm = next?.kind === 'text' && next.indent > block.indent + 0.8 * block.size;
      votes.set(placeOf(block), (votes.get(placeOf(block)) ?? 0) + (isTerm ? 2 : -1));
    }
  }
  return new Set(
    [...votes].flatMap(([place, sum]) => {
      const beside = texts.get(Number(place.split(' ').at(-1))) ?? 0;
      return sum > 0 && beside > 0.05 * all ? [place] : [];
    }),
  );
}

function placeOf(block: TextBlock): string {
  return `${typeOf(block)} ${indentOf(block)}`;
}

/** In halves of the type size. */
function indentOf({ indent, size }: TextBlock): number {
  return Math.round(indent / (0.5 * size));
}

function depthBelowNumber(outline: Outline, page: number, block: TextBlock): number | undefined {
  const text = textOf(block);
  const [label, ...others] = block.lines;
  const unlabelled = label && LABEL.test(label) ? others.join(' ') : text;
  const title = unlabelled.replace(NUMBER, '');
  return title && title !== text ? outline.get(outlineKey(page, title)) : undefined;
}
