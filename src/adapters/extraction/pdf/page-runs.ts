import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type AddedText, annotationsOf } from './annotations.ts';
import { inReadingDirection, withLamAlef, withPlainLetters } from './direction.ts';
import { type Font, type Fonts, fontNamed, learnFonts, PLAIN } from './fonts.ts';
import type { Run } from './run.ts';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** In quarter turns: a tolerance for pages that were scanned at a slight angle. */
const SKEW = 0.15;
/** More than any readable page has. */
const MOST_RUNS = 200_000;

/**
 * The runs of a page, grouped by text direction, the most frequent one first, and each comment on it.
 * Runs marked as artifacts, such as running heads, are omitted unless nothing else is marked.
 */
export async function runsOf(page: PDFPageProxy, fonts: Fonts): Promise<Run[][]> {
  const { items, styles } = await page.getTextContent({ includeMarkedContent: true });
  await learnFonts(page, styles, fonts);
  const { transform } = page.getViewport({ scale: 1 });
  const { texts, comments } = await annotationsOf(page);

  const placed = [...contentOf(items), ...texts].map((item) => {
    const vertical = styles[item.fontName]?.vertical === true;
    return place(item, transform, vertical, fontNamed(fonts, item.fontName));
  });
  const groups = [...Map.groupBy(placed, ({ direction }) => direction).values()]
    .map((group) => inReadingDirection(turned(group)))
    .toSorted((a, b) => lettersOf(b) - lettersOf(a));
  const [main = [], ...others] = groups;
  return [main, ...others, ...comments.map((text) => [commentRun(text)])];
}

function commentRun(text: string): Run {
  return { text, left: 0, right: text.length, y: 0, size: 1, font: PLAIN, mirrored: false };
}

function contentOf(items: TextContent['items']): TextItem[] {
  const content: TextItem[] = [];
  const artifacts: TextItem[] = [];
  let tagged = false;
  /** For each open marked-content sequence, whether it is an artifact. */
  const marks: boolean[] = [];
  /** The number of open sequences in the label of a list, while it has no text; 0 outside of labels. */
  let label = 0;
  /** Whether the text after it is an item whose label had no text: Chromium draws bullets as shapes. */
  let isItem = false;
  for (const item of items.slice(0, MOST_RUNS)) {
    if ('str' in item) {
      if (item.str.trim() === '') continue;
      if (marks.includes(true)) artifacts.push(item);
      else content.push(isItem ? { ...item, str: `• ${item.str}` } : item);
      [label, isItem] = [0, false];
    } else if (item.type === 'endMarkedContent') {
      isItem ||= label > 0 && label === marks.length;
      marks.pop();
    } else {
      marks.push('tag' in item && item.tag === 'Artifact');
      if ('tag' in item && item.tag === 'Lbl') label = marks.length;
      tagged ||= item.type === 'beginMarkedContentProps' && item.id !== undefined;
    }
  }
  return tagged && content.length > 0 ? content : [...content, ...artifacts];
}

/** The position of an item, from the top left of the page, and its direction. */
interface Placed {
  direction: string;
  /** Clockwise, in radians. */
  angle: number;
  x: number;
  y: number;
  length: number;
  run: Omit<Run, 'left' | 'right' | 'y'>;
}

function place(
  item: Pick<TextItem, keyof AddedText>,
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[],
  vertical: boolean,
  font: Font,
): Placed {
  const [ia = 1, ib = 0, ic = 0, id = 1, ix = 0, iy = 0] = item.transform as number[];
  const [x, y] = [a * ix + c * iy + e, b * ix + d * iy + f];
  const size = Math.hypot(ic, id) || Math.hypot(ia, ib) || 1;
  const text = withPlainLetters(withLamAlef(item.str));
  const run = { text, size, font, mirrored: false };
  if (vertical) {
    return { direction: 'vertical', angle: Math.PI / 2, x, y, length: item.height, run };
  }
  const angle = Math.atan2(b * ia + d * ib, a * ia + c * ib);
  return { direction: directionOf(angle), angle, x, y, length: item.width, run };
}

/** Groups texts by direction: horizontal, vertical, or oblique, as in stamps. */
function directionOf(angle: number): string {
  const quarters = angle / (Math.PI / 2);
  const quarter = Math.round(quarters);
  if (Math.abs(quarters - quarter) <= SKEW) return String((quarter + 4) % 4);
  return `oblique ${Math.round(2 * quarters) / 2}`;
}

/** Rotates texts of one direction so that most of them run from left to right. */
function turned(placed: Placed[]): Run[] {
  const angles = placed.map(({ angle }) => angle).toSorted((one, other) => one - other);
  const angle = angles[Math.floor(angles.length / 2)] ?? 0;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return placed.map(({ x, y, length, run }) => {
    const left = x * cos + y * sin;
    return { ...run, left, right: left + length, y: y * cos - x * sin };
  });
}

function lettersOf(runs: Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}
