import { type Line, linesOf } from './lines.ts';
import type { Run } from './run.ts';

/** The lines that repeat at the top or bottom of pages. */
export interface RunningLines {
  /** The runs of a page, counted from 0, without its running lines. */
  without(page: number, runs: Run[]): Run[];
  /** Their texts, if on many pages, without page numbers. */
  titles: string[];
}

/** A line at the top or the bottom of a page, with the lines further out before it. */
interface EdgeLine {
  line: Line;
  page: number;
  /** To the next line of the page, in sizes of the text. */
  distance: number;
}

/** The number of lines at the top and at the bottom of a page to consider. */
const EDGE = 3;
/** In characters: a longer line is not a running head. */
const LONGEST = 150;
/** The same for one that is further in the page than another. */
const LONGEST_INSIDE = 60;
/**
 * In sizes of the text: the least distance of a running head from the text, so that it is not taken for a
 * row of a table.
 */
const DISTANCE = 1.5;
/** In points: how far a running line may be off its place on another page. */
const TOLERANCE = 3;
const PAGE_NUMBER =
  /^[\s\p{P}|]*(?:\p{L}+\.?\s)?\s*(?:\d+|[ivxlc]+)(?:\s*(?:\/|\p{Ll}+)\s*\d+)?[\s\p{P}|]*$/iu;

/**
 * Finds running heads and page numbers: small lines at the edges of pages that other pages have in
 * the same place, or that stand where several pages have such a line.
 *
 * @param bodySize of the text, in points
 */
export function findRunningLines(pages: Run[][], bodySize: number): RunningLines {
  const edgesByPage = pages.map(edgesOf);
  // The lines of a short page are at its top and at its bottom, and yet there once.
  const lines = edgesByPage.map((edges) => edges.flat());
  const seen = countOf(lines.flatMap((all) => unique(all.flatMap(keysOf))));
  const places = countOf(
    lines.flatMap((all) => unique(all.filter((line) => repeats(line)).map(placeOf))),
  );

  function repeats(line: EdgeLine, times = 2): boolean {
    return keysOf(line).some((key) => (seen.get(key) ?? 0) >= times);
  }

  function isFrequent(line: EdgeLine): boolean {
    const isShort = line.line.text.length <= LONGEST_INSIDE;
    return isShort && repeats(line, Math.max(3, 0.3 * pages.length));
  }

  function isRunning(line: EdgeLine): boolean {
    const small = line.line.size <= 1.15 * bodySize && line.line.text.length <= LONGEST;
    return small && (repeats(line) || (places.get(placeOf(line)) ?? 0) > 2);
  }

  /**
   * From the edge of the page inwards. After the first gap, only lines that occur on many pages are
   * included, because text may repeat by chance.
   */
  function runningOf(edge: EdgeLine[]): EdgeLine[] {
    let [end, gaps] = [0, 0];
    for (const [index, line] of edge.entries()) {
      if (!isRunning(line) || (gaps > 0 && !isFrequent(line))) break;
      const isApart = line.distance >= DISTANCE;
      if (isApart || PAGE_NUMBER.test(line.line.text)) end = index + 1;
      if (isApart) gaps += 1;
    }
    return edge.slice(0, end);
  }

  const running = edgesByPage.flat().flatMap(runningOf);
  const runs = new Map<number, Set<Run>>();
  for (const { page, line } of running) {
    runs.set(page, new Set([...(runs.get(page) ?? []), ...line.runs]));
  }
  const texts = countOf(
    [...Map.groupBy(running, ({ page }) => page).values()].flatMap((all) =>
      unique(all.map(({ line }) => line.text)),
    ),
  );
  return {
    without: (page, all) => all.filter((run) => !runs.get(page)?.has(run)),
    titles: [...texts].flatMap(([text, count]) =>
      count >= 0.4 * pages.length && !PAGE_NUMBER.test(text) ? [text] : [],
    ),
  };
}

/** The lines at the top and at the bottom of a page, from the edge inwards. */
function edgesOf(runs: Run[], page: number): EdgeLine[][] {
  const lines = linesOf(runs);
  return [lines, lines.toReversed()].map((ordered) =>
    ordered.slice(0, EDGE).map((line, index) => {
      const next = ordered[index + 1];
      const distance = next ? Math.abs(next.y - line.y) / line.size : Number.POSITIVE_INFINITY;
      return { line, page, distance };
    }),
  );
}

/** Keys that occurrences of a running line share: its text, with page numbers made relative. */
function keysOf({ line, page }: EdgeLine): string[] {
  const texts = unique([line.text, ...line.segments.map(({ text }) => text)]);
  for (const { 0: number, index } of line.text.matchAll(/\d{1,6}/g)) {
    const after = line.text.slice(index + number.length);
    texts.push(`${line.text.slice(0, index)}\0${Number(number) - page}\0${after}`);
  }
  if (/^[ivxlc]+$/i.test(line.text)) texts.push('\0');
  const place = Math.round(line.y / TOLERANCE);
  return texts.flatMap((text) => [place, place + 1].map((near) => `${near} ${text}`));
}

function placeOf({ line }: EdgeLine): number {
  return Math.round(line.y / TOLERANCE);
}

function countOf<T>(values: T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}
