import { readFile } from 'node:fs/promises';
import type { OfficeContentNode, OfficeParserAST, SupportedFileType } from 'officeparser';
import { inBatches } from '../batches.ts';
import { chartLines } from '../chart-text.ts';
import { createTreeReader } from '../document-tree.ts';
import { parseDocument } from '../parse-office.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { partsOf, relatedParts } from '../zip-parts.ts';

const CHARTS = /^ppt\/(?:slides\/_rels\/|charts\/chart)/;
const SLIDE = /^ppt\/slides\/_rels\/slide(\d+)\.xml\.rels$/;
/** More are the titles of chapters. */
const MOST_RUNNING_TITLES = 5;
/** Less is a page number: `Seite 3 von 14`. */
const FEWEST_LETTERS = 10;

/** Documents that are read whole: Word, PowerPoint, OpenDocument, RTF, EPUB. */
export async function* readDocument({ path, format, signal }: Source): AsyncIterable<Passage[]> {
  const bytes = await readFile(path);
  const document = await parseDocument(bytes, format as SupportedFileType, signal);
  if (format === 'pptx') addCharts(document.content, bytes);
  yield* inBatches(passagesOf(document));
}

/** Adds to the slides what their charts show. */
function addCharts(slides: OfficeContentNode[], bytes: Buffer): void {
  const parts = partsOf(bytes, CHARTS);
  // Slides are numbered in the order of their files, whose numbers may have gaps.
  const numbers = [...parts.keys()].flatMap((path) => SLIDE.exec(path)?.[1] ?? []).map(Number);
  const sorted = numbers.toSorted((a, b) => a - b);
  for (const slide of slides) {
    if (slide.type !== 'slide') continue;
    const path = `ppt/slides/slide${sorted[(slide.metadata?.slideNumber ?? 1) - 1]}.xml`;
    for (const chart of relatedParts(parts, path, /^chart$/)) {
      const text = chartLines(parts.get(chart) ?? '').join('\n');
      slide.children = [
        ...(slide.children ?? []),
        { type: 'paragraph', text, children: [{ type: 'text', text }] },
      ];
    }
  }
}

function* passagesOf({ content, auxiliary }: OfficeParserAST): Generator<Passage> {
  const running = [...(auxiliary?.headers ?? []), ...(auxiliary?.footers ?? [])];
  const reader = createTreeReader(...titlesOf(running));
  yield* reader.read(content);
  yield* reader.end();
}

/** What is printed on every page, but for page numbers. */
function titlesOf(running: OfficeContentNode[]): string[] {
  const texts = [...createTreeReader().read(running)].map(({ text }) => text);
  const titles = new Set(texts.filter((text) => lettersOf(text) >= FEWEST_LETTERS));
  return titles.size > MOST_RUNNING_TITLES ? [] : [...titles];
}

function lettersOf(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
