import { readFile } from 'node:fs/promises';
import {
  type CellObject,
  type ParsingOptions,
  read,
  utils,
  type WorkBook,
  type WorkSheet,
} from '@e965/xlsx';
import { inBatches } from '../batches.ts';
import { createCellLayout } from '../cell-layout.ts';
import { shownValue } from '../cell-value.ts';
import { chartLines } from '../chart-text.ts';
import { commentText } from '../comment-text.ts';
import type { Passage } from '../passage.ts';
import { createPassageWriter } from '../passage-writer.ts';
import type { Source } from '../reader.ts';
import { repeatedCells } from '../repeated-cells.ts';
import { createRowDescriber } from '../table-rows.ts';
import { REASONS, UnreadableError } from '../unreadable.ts';
import { type Parts, partsOf, referencedParts, relatedParts } from '../zip-parts.ts';
import { unzipsToMore } from '../zip-size.ts';

/** In bytes. */
const LARGEST = 256 * 1024 * 1024;
/** More would exceed the memory of a process. */
const MOST_CELLS = 5_000_000;
/** The limit of spreadsheets. */
const MOST_COLUMNS = 16_384;
/** Number formats are needed to recognize dates. */
const OPTIONS: ParsingOptions = { dense: true, cellFormula: false, cellHTML: false, cellNF: true };
/** Charts, and the relations between sheets and charts. */
const CHARTS = /^xl\/(?:workbook\.xml|_rels\/|worksheets\/_rels\/|drawings\/_rels\/|charts\/chart)/;

/**
 * Excel workbooks (old and new) and OpenDocument spreadsheets. Each row is a passage with the
 * comments on its cells. The first row follows the name of the sheet, the last one its charts.
 */
export async function* readWorkbook({ path }: Source): AsyncIterable<Passage[]> {
  const bytes = await readFile(path);
  const isZip = bytes.toString('latin1', 0, 2) === 'PK';
  const workbook = await parse(bytes, isZip);
  const charts = isZip ? chartsOf(bytes) : new Map<string, string[][]>();
  yield* inBatches(passagesOf(workbook, charts));
}

async function parse(bytes: Buffer, isZip: boolean): Promise<WorkBook> {
  try {
    if (isZip && (await unzipsToMore(bytes, LARGEST))) throw new UnreadableError(REASONS.tooMuch);
    if (isZip && repeatsTooMuch(bytes)) throw new UnreadableError(REASONS.tooMuch);
    return silently(() => read(bytes, OPTIONS));
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    const isProtected = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new UnreadableError(isProtected ? REASONS.protected : REASONS.broken, { cause: error });
  }
}

/** Whether the repeated cells of an OpenDocument spreadsheet exceed the limit. */
function repeatsTooMuch(bytes: Buffer): boolean {
  return repeatedCells(partsOf(bytes, /^content\.xml$/).get('content.xml') ?? '') > MOST_CELLS;
}

/** The library logs number formats that it does not support. */
function silently<T>(act: () => T): T {
  const { error } = globalThis.console;
  globalThis.console.error = () => {};
  try {
    return act();
  } finally {
    globalThis.console.error = error;
  }
}

function* passagesOf(
  { SheetNames, Sheets, Workbook }: WorkBook,
  charts: Map<string, string[][]>,
): Generator<Passage> {
  const date1904 = Workbook?.WBProps?.date1904 === true;
  const writer = createPassageWriter();
  for (const sheet of SheetNames) {
    writer.startOver(sheet);
    const describe = createRowDescriber();
    const layout = createCellLayout(MOST_COLUMNS);
    const merged = mergedCells(Sheets[sheet]);
    for (const [index, cells] of (Sheets[sheet]?.['!data'] ?? []).entries()) {
      layout.startRow();
      for (const [column, cell] of (cells ?? []).entries()) {
        const value = cell ? shownValue(cell, date1904) : '';
        const sizes = merged.get(index)?.get(column);
        if (value || sizes) layout.add(value, { column, ...sizes, isHeader: false });
      }
      const row = layout.endRow();
      const spans = row.spans.size > 0 ? row.spans : undefined;
      const comments = (cells ?? []).flatMap((cell, column) => commentsOf(cell, index, column));
      const text = [describe(row.cells, spans), ...comments].filter(Boolean).join('\n');
      yield* writer.write(text, { sheet, row: index + 1 }, { gap: '\n', whole: true });
    }
    for (const lines of charts.get(sheet) ?? []) {
      yield* writer.write(lines.join('\n'), { sheet });
    }
  }
}

/** How many columns and rows each merged cell has, by its row and its column. */
function mergedCells(sheet?: WorkSheet) {
  const merged = new Map<number, Map<number, { width: number; height: number }>>();
  for (const { s: start, e: end } of sheet?.['!merges'] ?? []) {
    const row = merged.get(start.r) ?? new Map<number, { width: number; height: number }>();
    row.set(start.c, { width: 1 + end.c - start.c, height: 1 + end.r - start.r });
    merged.set(start.r, row);
  }
  return merged;
}

function commentsOf(cell: CellObject | undefined, row: number, column: number): string[] {
  return (cell?.c ?? []).map(({ t: text, a: author }) => {
    const on = utils.encode_cell({ r: row, c: column });
    return commentText(text ?? '', { author: author?.trim(), on });
  });
}

/** The lines of the charts of an Excel workbook, by the names of their sheets. */
function chartsOf(bytes: Buffer): Map<string, string[][]> {
  const parts = partsOf(bytes, CHARTS);
  const charts = new Map<string, string[][]>();
  for (const [sheet, path] of sheetPaths(parts)) {
    const drawings = relatedParts(parts, path, /^drawing$/);
    const paths = drawings.flatMap((drawing) => relatedParts(parts, drawing, /^chart$/));
    charts.set(
      sheet,
      paths.map((chart) => chartLines(parts.get(chart) ?? '')),
    );
  }
  return charts;
}

function sheetPaths(parts: Parts): Map<string, string> {
  const sheets = referencedParts(parts, 'xl/workbook.xml', 'sheet');
  return new Map(sheets.map(({ path, attributes }) => [attributes['name'] ?? '', path]));
}
