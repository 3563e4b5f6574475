import { readFile } from 'node:fs/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Passage } from '../passage.ts';
import { type Block, blocksOf } from '../pdf/blocks.ts';
import type { Fonts } from '../pdf/fonts.ts';
import { openPdf, unreadable } from '../pdf/open-pdf.ts';
import { outlineOf } from '../pdf/outline.ts';
import { createPageWriter, type PageWriter } from '../pdf/page-passages.ts';
import { runsOf } from '../pdf/page-runs.ts';
import type { Run } from '../pdf/run.ts';
import { findRunningLines } from '../pdf/running-lines.ts';
import type { Source } from '../reader.ts';

/** Pages that are looked at together for what they have in common, such as running heads. */
const TOGETHER = 300;

/** PDF: text that repeats at the edges of pages is emitted once, and tables of contents are left out. */
export async function* readPdf({ path, recognized, signal }: Source): AsyncIterable<Passage[]> {
  const document = await openPdf(new Uint8Array(await readFile(path)));
  try {
    const replaced = recognized ? await readPages(recognized) : undefined;
    const outline = await outlineOf(document);
    const fonts: Fonts = new Map();
    let writer: PageWriter | undefined;
    const isNew = createIsNew();
    for (let first = 1; first <= document.numPages; first += TOGETHER) {
      const pages = await pagesOf(document, first, fonts, signal);
      const mains = pages.map(([main = []]) => main);
      const running = findRunningLines(mains, usualSize(mains));
      writer ??= createPageWriter(outline, ...running.titles.slice(0, 5));
      const written = writer.write(
        pages.map(([main = [], ...others], index) => ({
          page: first + index,
          blocks: [
            ...blocksOf(running.without(index, main)),
            ...others.filter(isNew).flatMap((runs) => blocksOf(runs).map(asPlainText)),
          ],
        })),
      );
      let page = first;
      for (const passages of written) {
        // A model saw the whole page, also its few words of text.
        yield replaced?.get(page) ?? passages;
        page += 1;
      }
    }
    yield writer?.end() ?? [];
  } finally {
    await document.loadingTask.destroy();
  }
}

/** The passages of the pages in which text was recognized. */
async function readPages(path: string): Promise<Map<number | undefined, Passage[]>> {
  const { recognizedPassages } = await import('../recognized.ts');
  return recognizedPassages(path);
}

/** Detects stamps and watermarks that were on an earlier page. */
function createIsNew() {
  const seen = new Set<string>();
  return (runs: Run[]) => seen.size < seen.add(runs.map(({ text }) => text).join(' ')).size;
}

/** Text in another direction than the page is not a heading, however large it is. */
function asPlainText(block: Block): Block {
  return block.kind === 'text' ? { ...block, aside: true } : block;
}

/** The runs of some pages, read page by page, so that pdf.js can release each page. */
async function pagesOf(
  document: PDFDocumentProxy,
  first: number,
  fonts: Fonts,
  signal: AbortSignal,
): Promise<Run[][][]> {
  const pages: Run[][][] = [];
  const last = Math.min(first + TOGETHER - 1, document.numPages);
  for (let number = first; number <= last; number += 1) {
    signal.throwIfAborted();
    try {
      const page = await document.getPage(number);
      pages.push(await runsOf(page, fonts));
      page.cleanup();
    } catch (error) {
      throw unreadable(error);
    }
  }
  return pages;
}

/** The size of most of the text, in points. */
function usualSize(pages: Run[][]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of pages.flat()) {
    const rounded = Math.round(2 * size) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  const [most] = [...letters].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? 1;
}
