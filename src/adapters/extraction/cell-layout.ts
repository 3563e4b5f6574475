import type { Spans } from './table-rows.ts';

/** Puts the cells of a table into their columns, row by row, with what spans into them from above. */
export interface CellLayout {
  startRow(): void;
  /** Adds a cell at the next column that is free, or at a later one that the document names. */
  add(text: string, place: CellPlace): void;
  /** The cells of the row, none if it has only what spans into it. */
  endRow(): { cells: string[]; spans: Spans };
}

interface CellPlace {
  column?: number | undefined;
  /** In columns. */
  width?: number | undefined;
  /** In rows. */
  height?: number | undefined;
  /** A heading is given in its first row only, a value in each row that it spans. */
  isHeader: boolean;
}

interface Hanging {
  text: string;
  rows: number;
}

/** The limits of browsers. */
const MOST_COLUMNS = 1_000;
const MOST_ROWS = 65_534;
/** In characters. A longer text is given in its first row only. */
const LONGEST_REPEATED = 200;

/** @param mostColumns more cells are left out */
export function createCellLayout(mostColumns = MOST_COLUMNS): CellLayout {
  /** Cells that span several rows, by column. */
  const hanging = new Map<number, Hanging>();
  let cells: string[] = [];
  let spans = new Map<number, number>();
  let isFilled = false;

  /** Fills the row up to a column, and the columns after it that are not free. */
  function fill(column: number): void {
    for (;;) {
      const cell = hanging.get(cells.length);
      if (!cell && cells.length >= column) return;
      if (cell?.rows === 1) hanging.delete(cells.length);
      else if (cell) cell.rows -= 1;
      cells.push(cell?.text ?? '');
    }
  }

  return {
    startRow() {
      cells = [];
      spans = new Map();
      isFilled = false;
    },
    add(text, { column = 0, width = 1, height = 1, isHeader }) {
      fill(Math.min(column, mostColumns));
      if (cells.length >= mostColumns) return;
      isFilled ||= text.trim() !== '';
      const columns = Math.min(Math.max(1, width), mostColumns - cells.length);
      const rows = Math.min(height, MOST_ROWS) - 1;
      const repeated = isHeader || text.length > LONGEST_REPEATED ? '' : text;
      if (columns > 1) spans.set(cells.length, columns);
      for (let part = 0; part < columns; part += 1) {
        if (rows > 0) hanging.set(cells.length, { text: part === 0 ? repeated : '', rows });
        cells.push(part === 0 ? text : '');
      }
    },
    endRow() {
      fill(Math.max(0, ...[...hanging.keys()].map((column) => column + 1)));
      return { cells: isFilled ? cells : [], spans };
    },
  };
}
