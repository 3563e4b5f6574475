import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { createRowDescriber } from '../table-rows.ts';
import { beginningOf, dataBlocksOf, tidy } from '../text-stream.ts';
import { UnreadableError } from '../unreadable.ts';

/** In rows. */
const BATCH = 500;
/** In bytes: a quotation mark that is never closed must not take the rest of a huge file to memory. */
const LONGEST_ROW = 16 * 1024 * 1024;
const SEPARATORS = [',', ';', '\t', '|'];
/** The line that gives Excel the separator of a file. Excel does not show it. */
const DECLARATION = /^"?sep=([^"\r\n])"?\r?\n/i;

export async function* readCsv({ path }: Source): AsyncIterable<Passage[]> {
  const beginning = await beginningOf(path);
  const declared = DECLARATION.exec(beginning)?.[1];
  yield* readTable(path, declared ?? separatorOf(beginning), declared ? 2 : 1);
}

export async function* readTsv({ path }: Source): AsyncIterable<Passage[]> {
  yield* readTable(path, '\t');
}

/** Every row is a passage. */
async function* readTable(
  path: string,
  delimiter: string,
  from_line = 1,
): AsyncIterable<Passage[]> {
  const options = { relax_quotes: true, relax_column_count: true, max_record_size: LONGEST_ROW };
  const parser = parse({ ...options, delimiter, from_line });
  // An error of either destroys the parser, which throws it to the loop below.
  pipeline(Readable.from(dataBlocksOf(path)), parser, () => {});

  const describe = createRowDescriber();
  let passages: Passage[] = [];
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      passages.push({ text: tidy(describe(cells)), origin: { row }, gap: '\n', whole: true });
      if (passages.length === BATCH) {
        yield passages;
        passages = [];
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableError(csvErrorText(error, row + 1));
  }
  yield passages;
}

function csvErrorText({ code }: CsvError, row: number): string {
  if (code !== 'CSV_MAX_RECORD_SIZE')
    return `a quotation mark is not closed in or after row ${row}`;
  return `row ${row} is longer than 16 MB, perhaps as a quotation mark is not closed in it`;
}

/**
 * The separator that gives each of the first lines most columns; if several do, such as below a title
 * of one column, the one that gives most lines the same number of columns.
 */
function separatorOf(beginning: string): string {
  const unquoted = beginning.replace(/"(?:[^"]|"")*"/g, '');
  const lines = unquoted.split('\n', 20).filter(Boolean);
  const ranked = SEPARATORS.map((separator) => {
    const columns = lines.map((line) => line.split(separator).length);
    return { separator, fewest: Math.min(...columns), alike: mostAlike(columns) };
  }).toSorted((a, b) => b.fewest - a.fewest || b.alike - a.alike);
  return ranked[0]?.separator ?? ',';
}

/** How many of some lines have the same number of columns, more than one. */
function mostAlike(columns: number[]): number {
  const groups = Map.groupBy(columns, (count) => count);
  groups.delete(1);
  return Math.max(0, ...[...groups.values()].map((group) => group.length));
}
