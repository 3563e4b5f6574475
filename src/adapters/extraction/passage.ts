import type { Origin as ChunkOrigin } from '../../core/chunk-metadata.ts';
import type { JsonObject } from '../../core/model.ts';

/** A unit of text that a reader returns: a paragraph, a line, a row, a subtitle. */
export interface Passage {
  text: string;
  origin: Origin;
  /** The separator between it and the passage before. */
  gap: '\n\n' | '\n' | '';
  /** Whether it is understood only as a whole, as a row or a record is. No overlap begins inside it. */
  whole?: boolean;
}

/** The location of a text in its file. */
export type Origin = JsonObject & ChunkOrigin;

const HEADING_SEPARATOR = ' > ';

export function headingPath(headings: string[]): string {
  return headings.filter(Boolean).join(HEADING_SEPARATOR);
}

/** The context that a part of a section needs: the nearest heading, or the name of the sheet. */
export function nearestHeading({ heading, sheet }: Origin): string {
  return heading?.split(HEADING_SEPARATOR).at(-1) ?? sheet ?? '';
}

/** Whether both are on the same page, slide and sheet. */
export function inSamePlace(a: Origin, b: Origin): boolean {
  return a.page === b.page && a.slide === b.slide && a.sheet === b.sheet;
}

/** The location of a text from `first` to `last`, which are on the same page, slide or sheet. */
export function originFrom(first: Origin, last: Origin): Origin {
  const origin = { ...first };
  const [row, line] = [last.rowEnd ?? last.row, last.lineEnd ?? last.line];
  if (row !== undefined && row !== first.row) origin.rowEnd = row;
  if (line !== undefined && line !== first.line) origin.lineEnd = line;
  if (last.endTime !== undefined) origin.endTime = last.endTime;
  if (last.jsonPath !== first.jsonPath)
    origin.jsonPath = common(first.jsonPath, last.jsonPath, /(?=[.[])/);
  if (last.heading !== first.heading) origin.heading = commonHeading(first, last);
  if (!origin.heading) delete origin.heading;
  return origin;
}

/** The common headings of both. If the first has none, those of the second. */
export function commonHeading(a: Origin, b: Origin): string {
  return common(a.heading ?? b.heading, b.heading, /(?= > )/);
}

/** The common prefix of two paths. */
function common(a = '', b = '', separator: RegExp): string {
  const [steps, others] = [a.split(separator), b.split(separator)];
  const fork = steps.findIndex((step, index) => step !== others[index]);
  return (fork < 0 ? steps : steps.slice(0, fork)).join('');
}
