import type { OfficeContentNode } from 'officeparser';
import type { Origin, Passage } from './passage.ts';
import { createPassageWriter, INDENTED, LONGEST_HEADING } from './passage-writer.ts';
import { createRowDescriber, type Header, isValue } from './table-rows.ts';

/** Converts the syntax tree of a document to passages. */
export interface TreeReader {
  read(nodes: OfficeContentNode[]): Generator<Passage>;
  /** The last headings, if no text follows them. */
  end(): Generator<Passage>;
}

/** Inline nodes. */
const INLINE = new Set(['text', 'break', 'image', 'chart', 'drawing', 'embed']);
/** The limit of spreadsheets. */
const MOST_COLUMNS = 16_384;

/**
 * A passage is a paragraph, a list item, a block of code or a row of a table.
 *
 * @param about texts about the whole document, which are added to the first passage
 */
export function createTreeReader(...about: string[]): TreeReader {
  const writer = createPassageWriter(...about);

  function* readNodes(nodes: OfficeContentNode[], place: Origin): Generator<Passage> {
    let line = '';
    for (const node of nodes) {
      if (INLINE.has(node.type)) {
        line += textOf(node);
        continue;
      }
      yield* writer.write(line, place);
      line = '';
      yield* readNode(node, placeOf(node) ?? place);
    }
    yield* writer.write(line, place);
  }

  function* readNode(node: OfficeContentNode, place: Origin): Generator<Passage> {
    const children = node.children ?? [];
    if (node.type === 'slide') writer.startOver();
    if (node.type === 'heading' && textOf(node).length <= LONGEST_HEADING) {
      writer.addHeading(textOf(node), node.metadata?.level ?? 1);
    } else if (node.type === 'sheet') {
      writer.startOver(place.sheet);
      yield* readRows(children, place);
    } else if (node.type === 'table') {
      yield* readRows(children, place, isForm(children) ? 'row' : undefined);
    } else if (children.every((child) => INLINE.has(child.type))) {
      const text = textOf(node);
      // Text indented by spaces is code, and belongs to the line above.
      const gap = node.type === 'list' || INDENTED.test(text) ? '\n' : '\n\n';
      yield* writer.write(markerOf(node) + text, place, { gap });
      yield* readNodes(children.flatMap(notesOf), place);
    } else {
      yield* readNodes(children, place);
    }
    yield* readNodes(notesOf(node), place);
    for (const comment of commentsOf(node)) yield* writer.write(comment, place, { gap: '\n' });
  }

  function* readRows(
    rows: OfficeContentNode[],
    place: Origin,
    header?: Header,
  ): Generator<Passage> {
    const describe = createRowDescriber();
    for (const row of rows) {
      const origin = place.sheet === undefined ? place : { ...place, row: rowOf(row) };
      yield* writer.write(describe(cellsOf(row), undefined, header), origin, {
        gap: '\n',
        whole: true,
      });
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
  const [first = '', ...below] = rows.map((row) => cellsOf(row)[1]?.trim() ?? '');
  return isValue(first) || !below.every((text) => text === '' || isValue(text));
}

function isAllBold(node: OfficeContentNode): boolean {
  if (node.type === 'text') return !node.text?.trim() || node.formatting?.bold === true;
  return (node.children ?? []).every(isAllBold);
}

function placeOf(node: OfficeContentNode): Origin | undefined {
  if (node.type === 'slide') return { slide: node.metadata?.slideNumber ?? 1 };
  if (node.type === 'sheet') return { sheet: node.metadata?.sheetName ?? '' };
  return undefined;
}

function notesOf(node: OfficeContentNode): OfficeContentNode[] {
  return node.notes ?? [];
}

/** The comments on a node or on its text. */
function commentsOf(node: OfficeContentNode): string[] {
  const inline = (node.children ?? []).filter((child) => INLINE.has(child.type));
  return [node, ...inline].flatMap(({ comments = [] }) =>
    comments.map(({ type, metadata, text }) => {
      const author = type === 'comment' ? metadata?.author : undefined;
      return `Comment${author ? ` by ${author}` : ''}: ${text ?? ''}`;
    }),
  );
}

function markerOf(node: OfficeContentNode): string {
  if (node.type !== 'list' || !node.metadata) return '';
  const { listType, itemIndex, indentation } = node.metadata;
  return '  '.repeat(indentation) + (listType === 'ordered' ? `${itemIndex + 1}. ` : '- ');
}

function rowOf(row: OfficeContentNode): number {
  const [cell] = row.children ?? [];
  return 1 + (cell?.type === 'cell' ? (cell.metadata?.row ?? 0) : 0);
}

function cellsOf(row: OfficeContentNode): string[] {
  const cells: string[] = [];
  for (const [index, cell] of (row.children ?? []).entries()) {
    const column = cell.type === 'cell' ? (cell.metadata?.col ?? index) : index;
    if (column < MOST_COLUMNS) cells[column] = textOf(cell);
  }
  return Array.from(cells, (cell) => cell ?? '');
}

function textOf(node: OfficeContentNode): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return node.metadata?.altText ?? '';
  if (node.text || !node.children) return node.text ?? '';
  return node.children
    .map((child) => (INLINE.has(child.type) ? textOf(child) : `\n${textOf(child)}`))
    .join('');
}
