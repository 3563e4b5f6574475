import { Parser } from 'htmlparser2';
import { createHtmlTable, type HtmlTable } from './html-table.ts';
import type { Passage } from './passage.ts';
import { createPassageWriter, LONGEST_HEADING, type PassageWriter } from './passage-writer.ts';
import { asSuperscript } from './superscript.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

/** Reads an HTML document, which may arrive in several blocks. */
export interface HtmlReader {
  add(block: string): Passage[];
  end(): Passage[];
}

/** Elements without readable text. */
const IGNORED = new Set('script style iframe object canvas datalist annotation'.split(' '));
/** Elements that are not part of the content of a page. */
const ASIDES = new Set('nav noscript template svg select button'.split(' '));
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark q ' +
    'rp rt ruby s samp small span strike strong sub sup time tt u var wbr ' +
    // The parts of a formula.
    'math semantics mrow mstyle mpadded mi mn mo ms mtext mfrac msqrt mroot msub msup msubsup ' +
    'munder mover munderover mmultiscripts mprescripts'
  ).split(' '),
);
const HEADING = /^h[1-6]$/;
const DEEPEST = 2_000;

/** @param given the writer of the enclosing document, if the HTML is a part of one */
export function createHtmlReader(given?: PassageWriter): HtmlReader {
  const lists: { ordered: boolean; next: number }[] = [];
  const tables: HtmlTable[] = [];
  let writer = given;
  let passages: Passage[] = [];
  /** The events within a skipped element, which are replayed if it is never closed. */
  let aside: { depth: number; passages: Passage[] } | undefined;
  let [title, line, marker, depth, ignored, pre] = ['', '', '', 0, 0, 0];
  let inTitle = false;
  let cell: Record<string, string> = {};
  /** The last text of the line, to which a superscript belongs. */
  let base = '';
  let raised = 0;

  function write(gap: Passage['gap'], whole = false): void {
    const text =
      pre > 0
        ? line
        : line
            .replace(/ {2,}/g, ' ')
            .replace(/ ?\n\s*/g, '\n')
            .trim();
    line = '';
    if (!text.trim()) return;
    writer ??= createPassageWriter(title.replace(/\s+/g, ' ').trim());
    const written = writer.write(marker + text, {}, { gap, whole });
    marker = '';
    (aside ?? { passages }).passages.push(...written);
  }

  /** Ends the line of text before or in an element that starts and ends a line. */
  function breakLine(): void {
    base = '';
    if (tables.length > 0) line += ' ';
    else write(lists.length > 0 ? '\n' : '\n\n');
  }

  function open(name: string, attributes: Record<string, string>): void {
    depth += 1;
    if (depth > DEEPEST) throw new UnreadableError(REASONS.tooDeep);
    if (IGNORED.has(name)) ignored += 1;
    if (ASIDES.has(name) && !aside) {
      breakLine();
      aside = { depth, passages: [] };
    }
    if (name === 'title' && !aside) inTitle = true;
    else if (name === 'br') line += '\n';
    else if (name === 'img') line += attributes['alt'] ?? '';
    else if (name === 'sup') raised += 1;
    else if (!isInline(name)) openBlock(name, attributes);
  }

  function openBlock(name: string, attributes: Record<string, string>): void {
    breakLine();
    if (name === 'ul' || name === 'ol') {
      lists.push({ ordered: name === 'ol', next: numberOf(attributes['start']) ?? 1 });
    }
    if (name === 'li' && tables.length === 0) marker = nextMarker(numberOf(attributes['value']));
    if (name === 'pre') pre += 1;
    if (name === 'table') tables.push(createHtmlTable());
    if (tables.length !== 1) return;
    if (name === 'tr') {
      // The caption.
      write('\n\n');
      tables[0]?.startRow();
    }
    if (name === 'td' || name === 'th') [cell, line] = [attributes, ''];
  }

  function nextMarker(given: number | undefined): string {
    const list = lists.at(-1);
    if (!list) return '- ';
    const number = given ?? list.next;
    list.next = number + 1;
    return '  '.repeat(lists.length - 1) + (list.ordered ? `${number}. ` : '- ');
  }

  function close(name: string, isImplied: boolean): void {
    if (IGNORED.has(name)) ignored = Math.max(0, ignored - 1);
    if (name === 'title') inTitle = false;
    else if (HEADING.test(name) && tables.length === 0) closeHeading(Number(name[1]));
    else if (name === 'sup') raised = Math.max(0, raised - 1);
    else if (!isInline(name) && name !== 'br') closeBlock(name);
    if (aside?.depth === depth && ASIDES.has(name)) {
      breakLine();
      // An element that is never closed may contain the rest of the page.
      if (isImplied) passages.push(...aside.passages);
      aside = undefined;
    }
    depth -= 1;
  }

  function closeHeading(level: number): void {
    const heading = line.replace(/\s+/g, ' ').trim();
    if (aside || heading.length > LONGEST_HEADING) {
      breakLine();
      return;
    }
    line = '';
    writer ??= createPassageWriter(title.replace(/\s+/g, ' ').trim());
    writer.addHeading(heading, level);
  }

  function closeBlock(name: string): void {
    if (tables.length === 1 && (name === 'td' || name === 'th')) {
      tables[0]?.addCell(line, cell, name === 'th');
      line = '';
    } else if (tables.length === 1 && name === 'tr') {
      line = tables[0]?.endRow() ?? '';
      write('\n', true);
    } else {
      breakLine();
    }
    if (name === 'ul' || name === 'ol') lists.pop();
    if (name === 'pre') pre = Math.max(0, pre - 1);
    if (name === 'table') tables.pop();
  }

  const parser = new Parser({
    onopentag: open,
    onclosetag: close,
    ontext(text) {
      if (ignored > 0) return;
      if (inTitle) title += text;
      else if (pre > 0) line += text;
      else addText(text);
    },
  });

  /** White space is one blank. What follows a blank is seen to when the line is written. */
  function addText(text: string): void {
    const spaced = text.replace(/\s+/g, ' ');
    if (raised === 0) base = spaced;
    line += raised > 0 ? asSuperscript(spaced, base) : spaced;
  }

  function taken(): Passage[] {
    const all = passages;
    passages = [];
    return all;
  }

  return {
    add(block) {
      parser.write(block);
      return taken();
    },
    end() {
      parser.end();
      breakLine();
      if (given) return taken();
      return [...taken(), ...(writer ?? createPassageWriter(title.trim())).end()];
    },
  };
}

/** Whether an element does not end the line, as it is a part of it or is not shown. */
function isInline(name: string): boolean {
  return INLINE.has(name) || IGNORED.has(name);
}

function numberOf(attribute = ''): number | undefined {
  const number = Number.parseInt(attribute, 10);
  return Number.isSafeInteger(number) ? number : undefined;
}
