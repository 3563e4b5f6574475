import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Font, type Fonts, fontNamed, learnFonts } from './fonts.ts';

/** A stretch of text on one base line, in points from the top left, as its reader holds the page. */
export interface Run {
  text: string;
  left: number;
  right: number;
  /** Of the base line. */
  y: number;
  size: number;
  font: Font;
}

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** More is no page that anybody reads. */
const MOST_RUNS = 200_000;

/**
 * The runs of a page by the direction of their text, that of most of the text first. What is marked
 * as an artifact, such as a running head, is left out, unless nothing else is marked.
 */
export async function runsOf(page: PDFPageProxy, fonts: Fonts): Promise<Run[][]> {
  const { items, styles } = await page.getTextContent({ includeMarkedContent: true });
  await learnFonts(page, styles, fonts);
  const { transform } = page.getViewport({ scale: 1 });

  const directions = new Map<string, Run[]>();
  for (const item of contentOf(items)) {
    const vertical = styles[item.fontName]?.vertical === true;
    const [direction, run] = place(item, transform, vertical, fontNamed(fonts, item.fontName));
    const runs = directions.get(direction) ?? [];
    directions.set(direction, runs);
    runs.push(run);
  }
  return [...directions.values()].toSorted((a, b) => lettersOf(b) - lettersOf(a));
}

/** The smallest rectangle that holds all of the runs, or what else has such edges. */
export function extentOf(runs: Pick<Run, 'left' | 'right' | 'y'>[]) {
  const extent = {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const { left, right, y } of runs) {
    extent.left = Math.min(extent.left, left);
    extent.right = Math.max(extent.right, right);
    extent.top = Math.min(extent.top, y);
    extent.bottom = Math.max(extent.bottom, y);
  }
  return extent;
}

function contentOf(items: TextContent['items']): TextItem[] {
  const content: TextItem[] = [];
  const artifacts: TextItem[] = [];
  let tagged = false;
  /** For each mark that is open, whether it is that of an artifact. */
  const marks: boolean[] = [];
  for (const item of items.slice(0, MOST_RUNS)) {
    if ('str' in item) {
      if (item.str.trim() === '') continue;
      if (marks.includes(true)) artifacts.push(item);
      else content.push(item);
    } else if (item.type === 'endMarkedContent') {
      marks.pop();
    } else {
      marks.push('tag' in item && item.tag === 'Artifact');
      tagged ||= item.type === 'beginMarkedContentProps' && item.id !== undefined;
    }
  }
  return tagged && content.length > 0 ? content : [...content, ...artifacts];
}

/** Turns the page so that the text of the item runs from left to right. */
function place(
  item: TextItem,
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[],
  vertical: boolean,
  font: Font,
): [string, Run] {
  const [ia = 1, ib = 0, ic = 0, id = 1, ix = 0, iy = 0] = item.transform as number[];
  const [x, y] = [a * ix + c * iy + e, b * ix + d * iy + f];
  const [dx, dy] = [a * ia + c * ib, b * ia + d * ib];
  const size = Math.hypot(ic, id) || Math.hypot(ia, ib) || 1;
  const quarter = (Math.round(Math.atan2(dy, dx) / (Math.PI / 2)) + 4) % 4;
  const [left, base] = vertical ? [y, -x] : turned(x, y, quarter);
  const length = vertical ? item.height : item.width;
  const run = { text: item.str, left, right: left + length, y: base, size, font };
  return [vertical ? 'vertical' : String(quarter), run];
}

function turned(x: number, y: number, quarter: number): [x: number, y: number] {
  if (quarter === 1) return [y, -x];
  if (quarter === 2) return [-x, -y];
  if (quarter === 3) return [-y, x];
  return [x, y];
}

function lettersOf(runs: Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}
