import { readFile } from 'node:fs/promises';
import type { OfficeContentNode, OfficeParserAST, SupportedFileType } from 'officeparser';
import { inBatches } from '../batches.ts';
import { chartLines } from '../chart-text.ts';
import { createTreeReader } from '../document-tree.ts';
import { restartNestedLists } from '../nested-lists.ts';
import { parseDocument } from '../parse-office.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { withSymbols } from '../rtf-symbols.ts';
import { markHeadings } from '../word-headings.ts';
import { type Parts, partsOf, referencedParts, relatedParts } from '../zip-parts.ts';

/** Charts, the slides that may have them, and the order of the slides. */
const CHARTS = /^ppt\/(?:presentation\.xml|_rels\/|slides\/|charts\/chart)/;
const SLIDE = /^ppt\/slides\/slide(\d+)\.xml$/;
/** More are the titles of chapters. */
const MOST_RUNNING_TITLES = 5;
/** Less is a page number: `Seite 3 von 14`. */
const FEWEST_LETTERS = 10;

/** Documents that are read whole: Word, PowerPoint, OpenDocument, RTF, EPUB. */
export async function* readDocument({ path, format, signal }: Source): AsyncIterable<Passage[]> {
  const stored = await readFile(path);
  const bytes = format === 'rtf' ? withSymbols(stored) : stored;
  const document = await parseDocument(bytes, format as SupportedFileType, signal);
  if (format === 'pptx') addCharts(document.content, bytes);
  if (format === 'docx') {
    restartNestedLists(document.content);
    markHeadings(document.content, bytes);
  }
  yield* inBatches(passagesOf(document));
}

/** Adds to the slides what their charts show. */
function addCharts(slides: OfficeContentNode[], bytes: Buffer): void {
  const parts = partsOf(bytes, CHARTS);
  const paths = slidePaths(parts);
  for (const slide of slides) {
    if (slide.type !== 'slide') continue;
    const path = paths[(slide.metadata?.slideNumber ?? 1) - 1] ?? '';
    for (const chart of relatedParts(parts, path, /^chart$/)) {
      const text = chartLines(parts.get(chart) ?? '').join('\n');
      slide.children = [
        ...(slide.children ?? []),
        { type: 'paragraph', text, children: [{ type: 'text', text }] },
      ];
    }
  }
}

/** The paths of the slides in the order in which they are shown, by which the parser numbers them. */
function slidePaths(parts: Parts): string[] {
  const referenced = referencedParts(parts, 'ppt/presentation.xml', 'sldId');
  const shown = new Set(referenced.map(({ path }) => path).filter((path) => parts.has(path)));
  return shown.size > 0
    ? [...shown]
    : [...parts.keys()].filter((path) => numberOf(path) > 0).toSorted(byNumber);
}

function byNumber(path: string, other: string): number {
  return numberOf(path) - numberOf(other);
}

function numberOf(path: string): number {
  return Number(SLIDE.exec(path)?.[1] ?? 0);
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
