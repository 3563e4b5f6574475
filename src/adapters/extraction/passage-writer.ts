import { headingPath, type Origin, type Passage } from './passage.ts';
import { tidy } from './text-stream.ts';

/** In characters. A longer one is treated as a paragraph. */
export const LONGEST_HEADING = 200;
/** Text that begins with an indented line, such as code. It belongs to the text before it. */
export const INDENTED = /^(?: {2,}|\t)\S/;

/** Creates the passages of a document, with the headings above them. */
export interface PassageWriter {
  /** A heading of a level that counts from 1. It becomes one line. */
  addHeading(text: string, level: number): void;
  /** Begins a slide or a sheet: resets the headings to its title, if any. */
  startOver(title?: string): void;
  /** Begins a page: its first passage repeats the nearest heading. */
  startPage(): void;
  /** The passage of a text; none if the text is blank. */
  write(text: string, origin?: Origin, how?: Pick<Partial<Passage>, 'gap' | 'whole'>): Passage[];
  /** The last headings, if no text follows them: at the end of a document or of a slide. */
  end(origin?: Origin): Passage[];
}

/**
 * A passage begins with the headings directly above it, so that no chunk ends with a heading.
 *
 * @param about texts about the whole document, which are added to the first passage
 */
export function createPassageWriter(...about: string[]): PassageWriter {
  /** The current headings, by level. */
  let headings: string[] = [];
  /** Headings to be added to the next passage. */
  let titles = about.filter(Boolean);
  /** At the start of a page: the heading to repeat. */
  let resumed = '';

  const write: PassageWriter['write'] = (
    text,
    origin = {},
    { gap = '\n\n', whole = false } = {},
  ) => {
    const tidied = tidy(text).trimEnd().replace(/^\n+/, '');
    if (!tidied) return [];
    const heading = headingPath(headings);
    const located = heading ? { ...origin, heading } : origin;
    const above = titles.length > 0 ? titles : [resumed].filter(Boolean);
    titles = [];
    resumed = '';
    return [{ text: [...above, tidied].join('\n'), origin: located, gap, whole }];
  };

  return {
    addHeading(text, level) {
      const heading = tidy(text).replace(/\s+/g, ' ').trim();
      if (!heading) return;
      headings = headings.slice(0, level - 1);
      headings[level - 1] = heading;
      if (titles.at(-1) !== heading) titles = [...titles, heading];
    },
    startOver(title = '') {
      headings = [];
      if (title) titles = [title];
    },
    startPage() {
      resumed = headings.at(-1) ?? '';
    },
    write,
    end(origin) {
      const last = titles.at(-1) ?? '';
      titles = titles.slice(0, -1);
      resumed = '';
      return write(last, origin);
    },
  };
}
