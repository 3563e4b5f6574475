/** Puts the rows of a table into words, one after the other. */
export type DescribeRow = (cells: string[]) => string;

/** In characters. */
const LONGEST_NAME = 100;
/** Numbers, amounts, dates and times: values, and no names of columns. */
const VALUE = /^\p{Sc}?[\s\d.,:/+-]*\d[\s\d.,:/-]*(?:%|\p{Sc}|[A-Z]{3})?$/u;
/** A year may be either. */
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Describes rows so that each is understood without the others: `City: Berlin; Population: 3700000`.
 * The first row that has several cells names the columns, if it looks like names.
 */
export function createRowDescriber(): DescribeRow {
  let names: string[] | undefined;

  return (cells) => {
    const texts = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
    if (!names && texts.filter(Boolean).length > 1) {
      names = areNames(texts) ? texts : [];
      return join(texts, ' | ');
    }
    if (!names?.length) return join(texts, ' | ');
    const described = texts.map((text, column) => {
      const name = names?.[column];
      return text && name ? `${name}: ${text}` : text;
    });
    return join(described, '; ');
  };
}

function areNames(cells: string[]): boolean {
  const names = cells.filter(Boolean);
  const short = names.every((name) => name.length <= LONGEST_NAME);
  const distinct = new Set(names).size === names.length;
  return short && distinct && 2 * names.length >= cells.length && !haveValues(names);
}

/** `Region | 2030 | 2031` is a row of names, `Anna | Berlin | 2030` is not. */
function haveValues(names: string[]): boolean {
  const values = names.filter((name) => VALUE.test(name));
  return values.length === 1 || !values.every((value) => YEAR.test(value));
}

function join(texts: string[], separator: string): string {
  return texts.filter(Boolean).join(separator);
}
