import { linesOf } from './lines.ts';
import { extentOf, type Run } from './run.ts';

/** In font sizes: the least gap between two columns. */
const GUTTER = 0.9;
/** In font sizes: a narrower column belongs to a table. */
const NARROWEST = 13;
/** Recursion limit: a page has at most 2 to this power columns. */
const DEEPEST = 3;
const FEWEST_LINES = 5;
/** In points: the maximum width of a page. */
const WIDEST = 14_400;

/** Divides a page into regions of a single column each, in reading order. */
export function regionsOf(runs: Run[], depth = 0): Run[][] {
  const gutter = depth < DEEPEST ? gutterOf(runs) : undefined;
  if (gutter === undefined) return [runs];

  // Text across the gutter, such as a title, separates the columns above from those below.
  const regions: Run[][] = [];
  let [crossing, left, right]: [Run[], Run[], Run[]] = [[], [], []];
  const endColumns = () => {
    for (const column of [left, right]) {
      if (column.length > 0) regions.push(...regionsOf(column, depth + 1));
    }
    [left, right] = [[], []];
  };
  const crossed = new Set(
    runs.filter((run) => run.left < gutter && run.right > gutter).map(({ y }) => Math.round(y)),
  );
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    // A number or a short word next to such text is on the same line.
    if ([-1, 0, 1].some((shift) => crossed.has(Math.round(run.y) + shift))) {
      endColumns();
      crossing.push(run);
      continue;
    }
    if (crossing.length > 0) regions.push(crossing);
    crossing = [];
    (run.right <= gutter ? left : right).push(run);
  }
  if (crossing.length > 0) regions.push(crossing);
  endColumns();
  return regions;
}

/** The middle of the widest gap between two columns of prose. */
function gutterOf(runs: Run[]): number | undefined {
  if (runs.length < 2 * FEWEST_LINES) return undefined;
  const size = median(runs.map((run) => run.size));
  const candidates = gapsOf(runs)
    .filter(({ from, to }) => to - from >= GUTTER * size)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from));
  for (const { from, to } of candidates.slice(0, 4)) {
    const middle = (from + to) / 2;
    const left = runs.filter((run) => run.right <= middle);
    const right = runs.filter((run) => run.left >= middle);
    if (isColumn(left, size) && isColumn(right, size) && areBeside(left, right)) return middle;
  }
  return undefined;
}

/** Horizontal ranges that hardly any text covers. Titles may cross them. */
function gapsOf(runs: Run[]): { from: number; to: number }[] {
  const extent = extentOf(runs);
  const start = Math.floor(extent.left);
  const end = Math.min(Math.ceil(extent.right), start + WIDEST);
  const changes = new Int32Array(end - start + 2);
  for (const { left, right } of runs) {
    const from = Math.max(0, Math.floor(left) - start);
    const to = Math.min(Math.ceil(right) - start, end - start);
    if (to <= from) continue;
    changes[from] = (changes[from] ?? 0) + 1;
    changes[to] = (changes[to] ?? 0) - 1;
  }
  const most = 0.15 * linesOf(runs).length;
  const gaps: { from: number; to: number }[] = [];
  let [covered, from] = [0, -1];
  for (let x = 0; x <= end - start; x += 1) {
    covered += changes[x] ?? 0;
    if (covered <= most && from < 0) from = x;
    if (covered > most && from >= 0) {
      if (from > 0) gaps.push({ from: start + from, to: start + x });
      from = -1;
    }
  }
  return gaps;
}

/** Whether most of the text is in lines that fill a column wide enough for prose. */
function isColumn(runs: Run[], size: number): boolean {
  if (runs.length < FEWEST_LINES) return false;
  const lines = linesOf(runs);
  const { left, right } = extentOf(runs);
  const width = right - left;
  if (lines.length < FEWEST_LINES || width < NARROWEST * size) return false;
  const all = lines.reduce((sum, { text }) => sum + text.length, 0);
  const full = lines.filter((line) => !line.hasWideGap && line.right - line.left >= 0.6 * width);
  return full.reduce((sum, { text }) => sum + text.length, 0) >= 0.6 * all;
}

function areBeside(left: Run[], right: Run[]): boolean {
  const [a, b] = [extentOf(left), extentOf(right)];
  return Math.max(a.top, b.top) < Math.min(a.bottom, b.bottom);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
