import type { Token } from 'markdown-it';
import type { createHtmlReader } from '../html-passages.ts';
import type { Passage } from '../passage.ts';
import { createPassageWriter, INDENTED, LONGEST_HEADING } from '../passage-writer.ts';
import { createRowDescriber, type DescribeRow, type Header } from '../table-rows.ts';
import { type Footnotes, splitFootnotes } from './footnotes.ts';
import { inlineText } from './inline-text.ts';

/** Puts the blocks of a Markdown file into passages. They may come in segments. */
export interface BlockReader {
  read(tokens: Token[]): Promise<Passage[]>;
  /** The last headings, if no text follows them. */
  end(): Passage[];
}

/** How GitHub marks a block quote as a note. */
/** `{#id}` after a heading, as Pandoc, Hugo and kramdown have it. */
const ANCHOR = /\s*\{#[\w-]+\}$/;
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/**
 * A passage is a paragraph, a list item, a block of code or a row of a table. A footnote comes after
 * the block that refers to it first.
 *
 * @param about text about the whole file, which precedes the first passage
 */
export function createBlockReader(about: string): BlockReader {
  const writer = createPassageWriter(about);
  let passages: Passage[] = [];
  let readHtml: typeof createHtmlReader | undefined;
  let [lists, marker]: [{ ordered: boolean; number: number }[], string] = [[], ''];
  let row: { describe: DescribeRow; cells: string[]; header?: Header } | undefined;

  function readBlocks(tokens: Token[], footnotes: Footnotes, isNote = false): void {
    /** A blank line ends a block of HTML, but not what it is a part of. */
    let html = '';
    let heading = 0;
    for (const token of tokens) {
      if (html && token.type !== 'html_block') {
        addHtml(html);
        html = '';
      }
      if (token.type === 'html_block') {
        html += token.content;
      } else if (token.type === 'heading_open') {
        // In a quote or a list it is above nothing else.
        heading = token.level === 0 ? levelOf(token) : 0;
      } else if (token.type === 'inline') {
        addText(footnotes.cite(inlineText(token.children ?? [])), heading);
      } else {
        readBlock(token);
      }
      if (/^(?:heading|paragraph|table)_close$/.test(token.type)) {
        heading = 0;
        if (!isNote && !row) readNotes(footnotes);
      }
    }
    addHtml(html);
  }

  function readNotes(footnotes: Footnotes): void {
    for (let note = footnotes.next(); note; note = footnotes.next()) {
      readBlocks(note, footnotes, true);
    }
  }

  function readBlock(token: Token): void {
    const { type } = token;
    if (type === 'fence' || type === 'code_block') addCode(token.content);
    else if (/_list_open$/.test(type)) lists.push(listOf(token));
    else if (/_list_close$/.test(type)) lists.pop();
    else if (type === 'list_item_open') marker = nextMarker();
    else if (type === 'list_item_close') marker = '';
    else if (type === 'table_open') {
      row = { describe: createRowDescriber(), cells: [], header: 'columns' };
    } else if (type === 'table_close') row = undefined;
    else if (type === 'tr_close') endRow();
  }

  function addText(text: string, heading: number): void {
    if (row) row.cells.push(text);
    else if (heading > 0 && text.length <= LONGEST_HEADING)
      writer.addHeading(text.replace(ANCHOR, ''), heading);
    else write(text.replace(ALERT, '$1: '), lists.length > 0 ? '\n' : '\n\n');
  }

  function addCode(code: string): void {
    // What is indented belongs to the line above.
    write(code, lists.length > 0 || INDENTED.test(code) ? '\n' : '\n\n');
  }

  function addHtml(html: string): void {
    if (!html || !readHtml) return;
    const reader = readHtml(writer);
    passages = passages.concat(reader.add(html), reader.end());
  }

  function endRow(): void {
    if (!row) return;
    const text = row.describe(row.cells, undefined, row.header);
    row = { describe: row.describe, cells: [] };
    passages.push(...writer.write(text, {}, { gap: '\n', whole: true }));
  }

  function write(text: string, gap: Passage['gap']): void {
    const written = writer.write(marker + text, {}, { gap });
    if (written.length > 0) marker = '';
    passages.push(...written);
  }

  function nextMarker(): string {
    const list = lists.at(-1);
    if (!list) return '';
    const mark = list.ordered ? `${list.number}. ` : '- ';
    list.number += 1;
    return '  '.repeat(lists.length - 1) + mark;
  }

  return {
    async read(tokens) {
      if (!readHtml && tokens.some(({ type }) => type === 'html_block')) {
        readHtml = (await import('../html-passages.ts')).createHtmlReader;
      }
      [passages, lists, marker] = [[], [], ''];
      const { body, footnotes } = splitFootnotes(tokens);
      readBlocks(body, footnotes);
      footnotes.citeOthers();
      readNotes(footnotes);
      return passages;
    },
    end: () => writer.end(),
  };
}

function levelOf({ tag }: Token): number {
  return Number(tag.slice(1));
}

function listOf(token: Token): { ordered: boolean; number: number } {
  return {
    ordered: token.type === 'ordered_list_open',
    number: Number(token.attrGet('start') ?? 1),
  };
}
