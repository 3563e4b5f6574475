/** The start of a row or of a non-empty cell. */
const ROW_OR_CELL = /<table:table-(row|cell)(?=[\s>])([^<>]*[^<>/])?>/g;
const REPEATED = /\btable:number-(?:columns|rows)-repeated="(\d+)"/;

/**
 * Counts the non-empty cells of an OpenDocument spreadsheet by its `content.xml`, in which one
 * element may represent millions of identical cells or rows.
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
