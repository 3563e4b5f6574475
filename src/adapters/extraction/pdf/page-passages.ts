import { type HasWord, joinCutWord, wordsOf } from '../hyphens.ts';
import type { Origin, Passage } from '../passage.ts';
import { createPassageWriter } from '../passage-writer.ts';
import { createRowDescriber, type DescribeRow } from '../table-rows.ts';
import type { Block, TableBlock } from './blocks.ts';
import { findHeadings, LABEL, type PageBlocks } from './headings.ts';
import { needSpace } from './lines.ts';
import type { Outline } from './outline.ts';

export interface PageWriter {
  /** The passages of the next pages. */
  write(pages: PageBlocks[]): Generator<Passage[]>;
  /** The last headings, if no text follows them. */
  end(): Passage[];
}

/** A table at the end of a page, which may continue on the next page. */
interface OpenTable {
  page: number;
  header: string;
  columns: number;
  describe: DescribeRow;
}

const BULLET = /^[•‣◦▪●■○–—*·\p{Cc}\p{Co}-]\s+/u;
/** In characters. */
const LONGEST_WORD = 60;

/** @param about texts that are repeated on every page */
export function createPageWriter(outline: Outline, ...about: string[]): PageWriter {
  const writer = createPassageWriter(...about);
  let openTable: OpenTable | undefined;
  /** Where the last heading is. */
  let headed: Origin = {};

  function* passagesOf(block: Block, page: number, has: HasWord): Generator<Passage> {
    if (block.kind === 'text') {
      openTable = undefined;
      const text = joined(block.lines, has).replace(BULLET, '- ');
      const gap = block.item || block.distance < 1.3 ? '\n' : '\n\n';
      yield* writer.write(text, { page }, { gap });
    } else if (block.kind === 'code') {
      openTable = undefined;
      yield* writer.write(block.text, { page });
    } else if (block.kind === 'table') {
      yield* rowsOf(block, page, has);
    }
  }

  function* rowsOf(table: TableBlock, page: number, has: HasWord): Generator<Passage> {
    const rows = table.rows.map((cells) => cells.map((cell) => joined(cell.split('\n'), has)));
    const [header = [], ...others] = rows;
    const repeated = openTable?.header === header.join('|');
    const goesOn =
      openTable?.page === page - 1 &&
      openTable.columns === header.length &&
      (repeated || !table.headed);
    if (!goesOn || !openTable) {
      const describe = hasHeader(table) ? createRowDescriber() : withoutNames;
      openTable = { page, header: header.join('|'), columns: header.length, describe };
    }
    const { describe } = openTable;
    openTable = { ...openTable, page };
    for (const [index, cells] of (goesOn && repeated ? others : rows).entries()) {
      const gap = index === 0 ? '\n\n' : '\n';
      yield* writer.write(describe(cells), { page }, { gap, whole: true });
    }
  }

  return {
    *write(pages) {
      const levels = findHeadings(pages, outline);
      const has = lexiconOf(pages);
      for (const { page, blocks } of pages) {
        writer.startPage();
        const passages: Passage[] = [];
        let label = '';
        for (const [index, block] of blocks.entries()) {
          const level = block.kind === 'text' ? levels.get(block) : undefined;
          if (block.kind !== 'text' || level === undefined) {
            passages.push(...passagesOf(block, page, has));
            continue;
          }
          const next = blocks[index + 1];
          // The heading of a table of contents, which is omitted, is dropped as well.
          if (next?.kind === 'contents') continue;
          const heading = label + joined(block.lines, has);
          const isLabel = LABEL.test(heading) && next?.kind === 'text' && levels.has(next);
          label = isLabel ? `${heading} ` : '';
          if (!isLabel) writer.addHeading(heading, level);
          headed = { page };
        }
        yield passages;
      }
    },
    end: () => writer.end(headed),
  };
}

/** Two columns without a header may also be terms and their definitions. */
function hasHeader({ rows, headed }: TableBlock): boolean {
  return headed || (rows[0]?.length ?? 0) > 2;
}

function withoutNames(cells: string[]): string {
  return cells.filter(Boolean).join(' | ');
}

/** Joins lines, including words that are hyphenated between them. */
function joined(lines: string[], has: HasWord): string {
  return lines.reduce((text, line) => {
    const whole = joinCutWord(text.slice(-LONGEST_WORD), line, has);
    if (whole !== undefined) return text.slice(0, -LONGEST_WORD) + whole;
    return needSpace(text, line) ? `${text} ${line}` : text + line;
  });
}

/** All words of the pages, except words split at the end of a line. */
function lexiconOf(pages: PageBlocks[]): HasWord {
  let words: Set<string> | undefined;
  return (word) => {
    words ??= new Set(
      pages.flatMap(({ blocks }) =>
        blocks.flatMap((block) =>
          block.kind === 'text' ? block.lines.flatMap((line) => wordsOf(inside(line))) : [],
        ),
      ),
    );
    return words.has(word);
  };
}

function inside(line: string): string {
  return line.replace(/[\p{L}\p{M}]+[-\u2010\u00ad]$/u, '').replace(/^[\p{L}\p{M}]+/u, '');
}
