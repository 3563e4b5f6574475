import { readFile } from 'node:fs/promises';
import { type ParsingOptions, read, type WorkBook } from '@e965/xlsx';
import { inBatches } from '../batches.ts';
import type { Source } from '../formats.ts';
import type { Passage } from '../passage.ts';
import { createRowDescriber } from '../table-rows.ts';
import { tidy } from '../text-stream.ts';
import { REASONS, UnreadableError } from '../unreadable.ts';
import { unzippedSize } from '../zip-size.ts';

/** In bytes. */
const LARGEST = 256 * 1024 * 1024;
/** The values as they are shown, but for dates that a country's custom decides about. */
const AS_SHOWN: ParsingOptions = {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  dateNF: 'yyyy-mm-dd',
};

/** Excel workbooks, new and old: a passage a row, and the sheet's name above the first. */
export async function* readWorkbook({ path }: Source): AsyncIterable<Passage[]> {
  const workbook = parse(await readFile(path));
  yield* inBatches(passagesOf(workbook));
}

function parse(bytes: Buffer): WorkBook {
  try {
    const isZip = bytes.toString('latin1', 0, 2) === 'PK';
    if (isZip && unzippedSize(bytes) > LARGEST) throw new UnreadableError(REASONS.tooMuch);
    return read(bytes, AS_SHOWN);
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    const isProtected = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new UnreadableError(isProtected ? REASONS.protected : REASONS.broken, { cause: error });
  }
}

function* passagesOf({ SheetNames, Sheets }: WorkBook): Generator<Passage> {
  for (const sheet of SheetNames) {
    const describe = createRowDescriber();
    let title = `${sheet}\n`;
    for (const [index, cells] of (Sheets[sheet]?.['!data'] ?? []).entries()) {
      const row = describe(Array.from(cells ?? [], (cell) => cell?.w ?? String(cell?.v ?? '')));
      if (!row) continue;
      const origin = { sheet, row: index + 1 };
      yield { text: title + tidy(row), origin, gap: '\n', whole: true };
      title = '';
    }
  }
}
