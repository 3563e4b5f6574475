/** The beginning of a row or of a cell that is not empty; an empty one stands for no text. */
const ROW_OR_CELL = /<table:table-(row|cell)(?=[\s>])([^<>]*[^<>/])?>/g;
const REPEATED = /\btable:number-(?:columns|rows)-repeated="(\d+)"/;

/**
 * How many cells with something in them the sheets of an OpenDocument workbook have, by its
 * `content.xml`. One cell or row may stand for millions of the same.
 */
export function repeatedCells(content: string): number {
  let [rows, cells] = [1, 0];
  for (const [, kind, attributes = ''] of content.matchAll(ROW_OR_CELL)) {
    const times = Number(REPEATED.exec(attributes)?.[1] ?? 1);
    if (kind === 'row') rows = times;
    else cells += rows * times;
  }
  return cells;
}
