/**
 * Describes the rows of a table in words, one after another.
 *
 * @param spans the column spans of the cells, if known
 * @param header what the header cells of the row name, if the document says it
 */
export type DescribeRow = (cells: string[], spans?: Spans, header?: Header) => string;

/** The columns, when all cells of a row are headers; the row itself, when only its first cell is. */
export type Header = 'columns' | 'row';

/** The column spans of cells, by column. Default: 1. */
export type Spans = ReadonlyMap<number, number>;

/** In characters. */
const LONGEST_NAME = 100;
/** Numbers, amounts, dates and times, which are values rather than column names. */
const VALUE = /^\p{Sc}?[\s\d.,:/+-]*\d[\s\d.,:/-]*(?:%|\p{Sc}|[A-Z]{3})?$/u;
/** A year may be a value or a column name. */
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Describes rows so that each is understood without the others: `City: Berlin; Population: 3700000`.
 * The first row that has several cells names the columns, if it looks like names; so do two rows of
 * which the first one groups columns: `2024 / Q1: 101; 2024 / Q2: 102`. A row that is twice as wide, and
 * looks like names too, is the header below what was only said about the table: `Author | Ann`.
 */
export function createRowDescriber(): DescribeRow {
  let names: string[] | undefined;
  /** The cells of the row that names the columns, unless the document says that it does. */
  let width = Number.POSITIVE_INFINITY;
  /** The row before, while it may be the first of two header rows. */
  let upper: { texts: string[]; spans: Spans | undefined } | undefined;

  return (cells, spans, header) => {
    const texts = cells.map((cell) => cell.replace(/[\s\x85]+/g, ' ').trim());
    if (!names && header === 'row') [names, upper] = [[], undefined];
    const filled = texts.filter(Boolean).length;
    if (!names && header === 'columns' && leavesNamesOut(texts, spans)) {
      names = texts.some(Boolean) ? texts : [];
      return join(texts, ' | ');
    }
    const both = upper && namesOfTwo(upper.texts, texts, upper.spans);
    upper = undefined;
    if (both) {
      names = both;
      return join(both, ' | ');
    }
    if (names && filled >= 2 * width && areNames(texts)) names = undefined;
    if (!names) {
      if (filled > 0) upper = { texts, spans };
      if (filled > 1) names = areNames(texts) ? texts : [];
      if (filled > 1 && header !== 'columns') width = filled;
      return join(texts, ' | ');
    }
    if (names.length === 0) return join(texts, ' | ');
    const described = texts.map((text, column) => {
      const name = names?.[column];
      return text && name ? `${name}: ${text}` : text;
    });
    return join(described, '; ');
  };
}

/** Whether a header names one column or none of several: Markdown has no table without a header. */
function leavesNamesOut(texts: string[], spans?: Spans): boolean {
  return texts.length > 1 && texts.filter(Boolean).length < 2 && !spans?.size;
}

/** Column names from two header rows, the first of which groups columns, such as years above quarters. */
function namesOfTwo(upper: string[], lower: string[], known?: Spans): string[] | undefined {
  const labels = lower.filter(Boolean);
  if (labels.length < 2 || labels.some((label) => label.length > LONGEST_NAME)) return undefined;
  // A title above the whole table does not group columns.
  if (haveValues(labels) || (upper[0] && upper.filter(Boolean).length < 2)) return undefined;
  const names = [...lower];
  let groups = 0;
  for (const [column, title] of upper.entries()) {
    if (!title) continue;
    const next = upper.findIndex((text, index) => index > column && Boolean(text));
    const blank = (next < 0 ? lower.length : next) - column;
    const width = known ? (known.get(column) ?? 1) : blank;
    const below = lower.slice(column, column + width);
    // A group of a single column has no name below it, or its own where it spans both rows.
    if (below.filter((label) => label && label !== title).length !== (width > 1 ? width : 0))
      return undefined;
    if (width > 1) groups += 1;
    if (width > 1) names.splice(column, width, ...below.map((label) => `${title} / ${label}`));
    else names[column] = title;
  }
  // Without known spans, names have to repeat from group to group.
  const areGroups = known ? groups > 0 : groups > 1 && new Set(labels).size < labels.length;
  const areDistinct = new Set(names.filter(Boolean)).size === names.filter(Boolean).length;
  return areGroups && areDistinct ? names : undefined;
}

function areNames(cells: string[]): boolean {
  const names = cells.filter(Boolean);
  const short = names.every((name) => name.length <= LONGEST_NAME);
  const distinct = new Set(names).size === names.length;
  // `Name: | Ann` is a label with its value.
  const isLabelled = names.filter((name) => name.endsWith(':')).length === 1;
  return short && distinct && !isLabelled && 2 * names.length >= cells.length && !haveValues(names);
}

/** `Region | 2030 | 2031` is a row of names, `Anna | Berlin | 2030` is not. */
function haveValues(names: string[]): boolean {
  const values = names.filter(isValue);
  return values.length === 1 || !values.every((value) => YEAR.test(value));
}

/** Whether a cell holds a number, an amount, a date or a time. */
export function isValue(text: string): boolean {
  return VALUE.test(text);
}

function join(texts: string[], separator: string): string {
  return texts.filter(Boolean).join(separator);
}
