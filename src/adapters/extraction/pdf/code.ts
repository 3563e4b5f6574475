import { asOnPage } from './direction.ts';
import type { Line } from './lines.ts';
import { extentOf } from './run.ts';

/** In sizes of the text: lines further apart are not of one listing. */
const FARTHEST = 4;

/** The number of lines from this one that are in a monospaced font. */
export function codeLength(lines: Line[], start: number): number {
  let end = start;
  for (let line = lines[end]; line?.font.monospaced; line = lines[end]) {
    const before = end > start ? lines[end - 1] : undefined;
    if (before && line.y - before.y > FARTHEST * line.size) break;
    end += 1;
  }
  return end - start;
}

/** The text of a listing with its indentation, gaps and empty lines. */
export function codeOf(lines: Line[]): string {
  const runs = lines.flatMap((line) => line.runs.map(asOnPage));
  const { left } = extentOf(runs);
  const letters = runs.reduce((sum, { text }) => sum + text.length, 0);
  const width = runs.reduce((sum, run) => sum + run.right - run.left, 0) / Math.max(letters, 1);
  const distance = Math.min(
    ...lines.slice(1).map(({ y }, index) => y - (lines[index]?.y ?? 0)),
    2 * (lines[0]?.size ?? 1),
  );
  let code = '';
  let previous: Line | undefined;
  for (const line of lines) {
    const breaks = previous ? Math.max(1, Math.round((line.y - previous.y) / distance)) : 0;
    code += '\n'.repeat(Math.min(breaks, 3)) + onGrid(line, left, width);
    previous = line;
  }
  return code;
}

function onGrid({ runs }: Line, left: number, width: number): string {
  let text = '';
  for (const run of runs.map(asOnPage).toSorted((a, b) => a.left - b.left)) {
    const column = Math.round((run.left - left) / Math.max(width, 0.1));
    text = text.padEnd(Math.min(column, 400)) + run.text;
  }
  return text;
}
