import type { Origin as ChunkOrigin } from '../../core/chunk-metadata.ts';
import type { JsonObject } from '../../core/model.ts';

/** A stretch of a file's text that belongs together: a paragraph, a line, a row, a subtitle. */
export interface Passage {
  text: string;
  origin: Origin;
  /** What stands between it and the passage before. */
  gap: '\n\n' | '\n' | '';
  /** A row or a record is understood only whole: no overlap begins inside it. */
  whole?: boolean;
}

/** Where in its file a text is from. */
export type Origin = JsonObject & ChunkOrigin;

const HEADING_SEPARATOR = ' > ';

export function headingPath(headings: string[]): string {
  return headings.filter(Boolean).join(HEADING_SEPARATOR);
}

/** What a reader has to know who sees only a part: the nearest heading, or the name of the sheet. */
export function nearestHeading({ heading, sheet }: Origin): string {
  return heading?.split(HEADING_SEPARATOR).at(-1) ?? sheet ?? '';
}

/** Pages, slides and sheets are never mixed in a chunk. */
export function inSamePlace(a: Origin, b: Origin): boolean {
  return a.page === b.page && a.slide === b.slide && a.sheet === b.sheet;
}

/** Where a text is from that runs from `first` to `last`, both of the same place. */
export function originFrom(first: Origin, last: Origin): Origin {
  const origin = { ...first };
  const [row, line] = [last.rowEnd ?? last.row, last.lineEnd ?? last.line];
  if (row !== undefined && row !== first.row) origin.rowEnd = row;
  if (line !== undefined && line !== first.line) origin.lineEnd = line;
  if (last.endTime !== undefined) origin.endTime = last.endTime;
  if (last.path !== first.path) origin.path = common(first.path, last.path, /(?=[.[])/);
  if (last.heading !== first.heading) origin.heading = commonHeading(first, last);
  if (!origin.heading) delete origin.heading;
  return origin;
}

/** The path of the headings above both, of which the first may have none; else empty. */
export function commonHeading(a: Origin, b: Origin): string {
  return common(a.heading ?? b.heading, b.heading, /(?= > )/);
}

/** What is above both in a tree, and so above all that stands between them. */
function common(a = '', b = '', separator: RegExp): string {
  const [steps, others] = [a.split(separator), b.split(separator)];
  const fork = steps.findIndex((step, index) => step !== others[index]);
  return (fork < 0 ? steps : steps.slice(0, fork)).join('');
}
