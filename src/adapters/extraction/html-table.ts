import { createCellLayout } from './cell-layout.ts';
import { createRowDescriber, type Header } from './table-rows.ts';

/** Collects the cells of an HTML table, and describes each row when it ends. */
export interface HtmlTable {
  startRow(): void;
  addCell(text: string, attributes: Record<string, string>, isHeader: boolean): void;
  endRow(): string;
}

export function createHtmlTable(): HtmlTable {
  const describe = createRowDescriber();
  const layout = createCellLayout();
  /** Whether each cell of the row is a header. */
  let headers: boolean[] = [];

  return {
    startRow() {
      layout.startRow();
      headers = [];
    },
    addCell(text, { colspan, rowspan }, isHeader) {
      headers.push(isHeader);
      layout.add(text, { width: countOf(colspan), height: countOf(rowspan), isHeader });
    },
    endRow() {
      const { cells, spans } = layout.endRow();
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

function countOf(attribute = '1'): number {
  return Number.parseInt(attribute, 10) || 1;
}
