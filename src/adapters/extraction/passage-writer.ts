import { headingPath, type Origin, type Passage } from './passage.ts';
import { tidy } from './text-stream.ts';

/** In characters; more is a paragraph that only looks like a heading. */
export const LONGEST_HEADING = 200;
/** Text that begins with an indented line, such as code: it stays close to what is before it. */
export const INDENTED = /^(?: {2,}|\t)\S/;

/** Puts the texts of a document into passages, below the headings that stand above them. */
export interface PassageWriter {
  /** A heading of a level that counts from 1. */
  addHeading(text: string, level: number): void;
  /** A slide or a sheet begins, below no heading but its own title, if it has one. */
  startOver(title?: string): void;
  /** A page begins: its first text repeats the nearest heading. */
  startPage(): void;
  /** The passage of a text; none if the text is blank. */
  write(text: string, place?: Origin, how?: Pick<Partial<Passage>, 'gap' | 'whole'>): Passage[];
  /** The headings at the end that nothing follows. */
  end(): Passage[];
}

/**
 * A passage begins with the headings right above it, so that no chunk ends with a heading.
 *
 * @param about what is said of the whole document, and told at its beginning
 */
export function createPassageWriter(...about: string[]): PassageWriter {
  /** The headings above the text at hand, by their level. */
  let headings: string[] = [];
  /** Titles that wait for a text to stand above. */
  let titles = about.filter(Boolean);
  /** On a new page: the heading that the text before it stood below. */
  let resumed = '';

  const write: PassageWriter['write'] = (
    text,
    place = {},
    { gap = '\n\n', whole = false } = {},
  ) => {
    const tidied = tidy(text).trimEnd().replace(/^\n+/, '');
    if (!tidied) return [];
    const heading = headingPath(headings);
    const origin = heading ? { ...place, heading } : place;
    const above = titles.length > 0 ? titles : [resumed].filter(Boolean);
    titles = [];
    resumed = '';
    return [{ text: [...above, tidied].join('\n'), origin, gap, whole }];
  };

  return {
    addHeading(text, level) {
      const heading = tidy(text).trim();
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
    end() {
      const last = titles.at(-1) ?? '';
      titles = titles.slice(0, -1);
      return write(last);
    },
  };
}
