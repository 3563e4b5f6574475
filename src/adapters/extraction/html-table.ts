import { createRowDescriber, type Header } from './table-rows.ts';

/** Collects the cells of an HTML table, and describes each row when it ends. */
export interface HtmlTable {
  startRow(): void;
  addCell(text: string, attributes: Record<string, string>, isHeader: boolean): void;
  endRow(): string;
}

interface Hanging {
  text: string;
  rows: number;
}

/** The limit of browsers. */
const MOST_COLUMNS = 1_000;
const MOST_ROWS = 65_534;

export function createHtmlTable(): HtmlTable {
  const describe = createRowDescriber();
  /** Cells that span several rows, by column. */
  const hanging = new Map<number, Hanging>();
  let cells: string[] = [];
  let spans = new Map<number, number>();
  /** Whether each cell of the row is a header. */
  let headers: boolean[] = [];

  function fillHanging(): void {
    for (let cell = hanging.get(cells.length); cell; cell = hanging.get(cells.length)) {
      if (cell.rows === 1) hanging.delete(cells.length);
      else cell.rows -= 1;
      cells.push(cell.text);
    }
  }

  return {
    startRow() {
      cells = [];
      spans = new Map();
      headers = [];
    },
    addCell(text, { colspan, rowspan }, isHeader) {
      fillHanging();
      if (cells.length >= MOST_COLUMNS) return;
      headers.push(isHeader);
      const width = countOf(colspan, MOST_COLUMNS - cells.length);
      const rows = countOf(rowspan, MOST_ROWS) - 1;
      if (width > 1) spans.set(cells.length, width);
      for (let part = 0; part < width; part += 1) {
        // A heading is given in its first row only, a value in each row that it spans.
        const below = isHeader || part > 0 ? '' : text;
        if (rows > 0) hanging.set(cells.length, { text: below, rows });
        cells.push(part === 0 ? text : '');
      }
    },
    endRow() {
      fillHanging();
      return describe(cells, spans, headerOf(headers));
    },
  };
}

function headerOf(cells: boolean[]): Header | undefined {
  const [first = false, ...others] = cells;
  if (!first) return undefined;
  if (others.every(Boolean)) return 'columns';
  return others.some(Boolean) ? undefined : 'row';
}

function countOf(attribute: string | undefined, most: number): number {
  return Math.min(Math.max(1, Number.parseInt(attribute ?? '1', 10) || 1), most);
}
