import type { OfficeContentNode } from 'officeparser';
import { headingPath, type Origin, type Passage } from './passage.ts';
import { createRowDescriber } from './table-rows.ts';
import { tidy } from './text-stream.ts';

/** Puts the tree of a document into passages. It may come in parts. */
export interface TreeReader {
  read(nodes: OfficeContentNode[]): Generator<Passage>;
  /** The headings at the end that nothing follows. */
  end(): Generator<Passage>;
}

/** What stands within a line of text. */
const INLINE = new Set(['text', 'break', 'image', 'chart', 'drawing', 'embed']);
/** In characters; more is a paragraph that only looks like a heading. */
const LONGEST_HEADING = 200;
/** Spreadsheets have no more. */
const MOST_COLUMNS = 16_384;

/**
 * A passage is a paragraph, a list item, a block of code or a row of a table. It begins with the
 * headings right above it, so that no chunk ends with a heading.
 *
 * @param about what is said of the whole document, and told at its beginning
 */
export function createTreeReader(...about: string[]): TreeReader {
  /** The headings above the text at hand, by their level. */
  let headings: string[] = [];
  /** Titles that wait for a text to stand above. */
  let titles = about.filter(Boolean);
  /** On a new page: the heading that the text before it stood below. */
  let resumed = '';

  function* readNodes(nodes: OfficeContentNode[], place: Origin): Generator<Passage> {
    let line = '';
    for (const node of nodes) {
      if (INLINE.has(node.type)) {
        line += textOf(node);
        continue;
      }
      yield* tell(line, place);
      line = '';
      yield* readNode(node, placeOf(node) ?? place);
    }
    yield* tell(line, place);
  }

  function* readNode(node: OfficeContentNode, place: Origin): Generator<Passage> {
    const children = node.children ?? [];
    if (node.type === 'page') resumed = headings.at(-1) ?? '';
    if (node.type === 'slide' || node.type === 'sheet') headings = [];
    if (node.type === 'heading' && textOf(node).length <= LONGEST_HEADING) {
      addHeading(tidy(textOf(node)).trim(), node.metadata?.level ?? 1);
    } else if (node.type === 'sheet') {
      titles = [place.sheet ?? ''];
      yield* readRows(children, place);
    } else if (node.type === 'table') {
      yield* readRows(children, place);
    } else if (children.every((child) => INLINE.has(child.type))) {
      yield* tell(markerOf(node) + textOf(node), place, node.type === 'list' ? '\n' : '\n\n');
      yield* readNodes(children.flatMap(notesOf), place);
    } else {
      yield* readNodes(children, place);
    }
    yield* readNodes(notesOf(node), place);
  }

  function* readRows(rows: OfficeContentNode[], place: Origin): Generator<Passage> {
    const describe = createRowDescriber();
    for (const row of rows) {
      const origin = place.sheet === undefined ? place : { ...place, row: rowOf(row) };
      yield* tell(describe(cellsOf(row)), origin, '\n', true);
    }
  }

  function addHeading(text: string, level: number): void {
    if (!text) return;
    headings = headings.slice(0, level - 1);
    headings[level - 1] = text;
    if (titles.at(-1) !== text) titles = [...titles, text];
  }

  function* tell(
    text: string,
    place: Origin,
    gap: Passage['gap'] = '\n\n',
    whole = false,
  ): Generator<Passage> {
    const tidied = tidy(text).trimEnd().replace(/^\n+/, '');
    if (!tidied) return;
    const heading = headingPath(headings);
    const origin = heading ? { ...place, heading } : place;
    const above = titles.length > 0 ? titles : [resumed].filter(Boolean);
    yield { text: [...above, tidied].join('\n'), origin, gap, whole };
    titles = [];
    resumed = '';
  }

  return {
    read: (nodes) => readNodes(nodes, {}),
    *end() {
      const last = titles.at(-1) ?? '';
      titles = titles.slice(0, -1);
      yield* tell(last, {});
    },
  };
}

function placeOf(node: OfficeContentNode): Origin | undefined {
  if (node.type === 'page') return { page: node.metadata?.pageNumber ?? 1 };
  if (node.type === 'slide') return { slide: node.metadata?.slideNumber ?? 1 };
  if (node.type === 'sheet') return { sheet: node.metadata?.sheetName ?? '' };
  return undefined;
}

function notesOf(node: OfficeContentNode): OfficeContentNode[] {
  return node.notes ?? [];
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
