import type { OfficeContentNode } from 'officeparser';
import { type CellLayout, createCellLayout } from './cell-layout.ts';
import {
  blocksIn,
  commentsOf,
  INLINE,
  inlineText,
  markerOf,
  notesOf,
  textOf,
} from './document-nodes.ts';
import type { Origin, Passage } from './passage.ts';
import { createPassageWriter, INDENTED, LONGEST_HEADING } from './passage-writer.ts';
import { createRowDescriber, type Header, isValue } from './table-rows.ts';

/** Converts the syntax tree of a document to passages. */
export interface TreeReader {
  read(nodes: OfficeContentNode[]): Generator<Passage>;
  /** The last headings, if no text follows them. */
  end(): Generator<Passage>;
}

/**
 * A passage is a paragraph, a list item, a block of code or a row of a table.
 *
 * @param about texts about the whole document, which are added to the first passage
 */
export function createTreeReader(...about: string[]): TreeReader {
  const writer = createPassageWriter(...about);

  function* readNodes(nodes: OfficeContentNode[], origin: Origin): Generator<Passage> {
    let line = '';
    for (const [index, node] of nodes.entries()) {
      if (INLINE.has(node.type)) {
        line += inlineText(node, line ? nodes[index - 1] : undefined);
        continue;
      }
      yield* writer.write(line, origin);
      line = '';
      yield* readNode(node, originOf(node) ?? origin);
    }
    yield* writer.write(line, origin);
  }

  function* readNode(node: OfficeContentNode, origin: Origin): Generator<Passage> {
    const children = node.children ?? [];
    if (node.type === 'slide') writer.startOver();
    if (node.type === 'heading' && textOf(node).length <= LONGEST_HEADING) {
      writer.addHeading(textOf(node), node.metadata?.level ?? 1);
    } else if (node.type === 'sheet') {
      writer.startOver(origin.sheet);
      yield* readRows(children, origin);
    } else if (node.type === 'table' && boxOf(node)) {
      yield* readNodes(boxOf(node)?.children ?? [], origin);
    } else if (node.type === 'table') {
      yield* readRows(children, origin, isForm(children) ? 'row' : undefined);
    } else if (children.every((child) => INLINE.has(child.type))) {
      const text = textOf(node);
      // Text indented by spaces is code, and belongs to the line above.
      const gap = node.type === 'list' || INDENTED.test(text) ? '\n' : '\n\n';
      yield* writer.write(markerOf(node) + text, origin, { gap });
    } else {
      yield* readNodes(children, origin);
    }
    yield* readAsides(node, origin);
    if (node.type === 'slide') yield* writer.end(origin);
  }

  function* readAsides(node: OfficeContentNode, origin: Origin): Generator<Passage> {
    yield* readNodes(notesOf(node), origin);
    for (const comment of commentsOf(node)) yield* writer.write(comment, origin, { gap: '\n' });
  }

  function* readRows(
    rows: OfficeContentNode[],
    origin: Origin,
    header?: Header,
  ): Generator<Passage> {
    const describe = createRowDescriber();
    const layout = createCellLayout();
    for (const [index, row] of rows.entries()) {
      layout.startRow();
      for (const cell of row.children ?? []) addCell(layout, cell, index === 0);
      const { cells, spans } = layout.endRow();
      const text = describe(cells, spans.size > 0 ? spans : undefined, header);
      const rowOrigin = origin.sheet === undefined ? origin : { ...origin, row: rowOf(row) };
      yield* writer.write(text, rowOrigin, { gap: '\n', whole: true });
      for (const node of blocksIn(row)) yield* readAsides(node, origin);
    }
  }

  return {
    read: (nodes) => readNodes(nodes, {}),
    *end() {
      yield* writer.end();
    },
  };
}

/**
 * Whether a table has a label and a value in each row, such as a form: two columns, and nothing tells the
 * first row from the others, neither bold text nor values that are all below it.
 */
function isForm(rows: OfficeContentNode[]): boolean {
  if (rows.length < 2 || rows.some(({ children = [] }) => children.length !== 2)) return false;
  const [isBold = false, ...others] = rows.map((row) => (row.children ?? []).every(isAllBold));
  if (isBold && !others.every(Boolean)) return false;
  const [first = '', ...below] = rows.map(({ children: [, cell] = [] }) =>
    cell ? textOf(cell).trim() : '',
  );
  return isValue(first) || !below.every((text) => text === '' || isValue(text));
}

function isAllBold(node: OfficeContentNode): boolean {
  if (node.type === 'text') return !node.text?.trim() || node.formatting?.bold === true;
  return (node.children ?? []).every(isAllBold);
}

function originOf(node: OfficeContentNode): Origin | undefined {
  if (node.type === 'slide') return { slide: node.metadata?.slideNumber ?? 1 };
  if (node.type === 'sheet') return { sheet: node.metadata?.sheetName ?? '' };
  return undefined;
}

function rowOf(row: OfficeContentNode): number {
  const [cell] = row.children ?? [];
  return 1 + (cell?.type === 'cell' ? (cell.metadata?.row ?? 0) : 0);
}

function addCell(layout: CellLayout, cell: OfficeContentNode, isFirstRow: boolean): void {
  const metadata = cell.type === 'cell' ? cell.metadata : undefined;
  layout.add(textOf(cell), {
    column: metadata?.col,
    width: metadata?.colSpan,
    height: metadata?.rowSpan,
    isHeader: isFirstRow || metadata?.style === 'header',
  });
}

/** The only cell of a table, which is a frame around text. */
function boxOf({
  children: [row, ...others] = [],
}: OfficeContentNode): OfficeContentNode | undefined {
  const [cell, ...further] = row?.children ?? [];
  return others.length + further.length > 0 ? undefined : cell;
}
