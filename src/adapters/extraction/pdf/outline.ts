import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The depths of outline entries, by `outlineKey`. */
export type Outline = Map<string, number>;

type Entries = NonNullable<Awaited<ReturnType<PDFDocumentProxy['getOutline']>>>;

const MOST_ENTRIES = 5_000;

/** Reads the outline of a document. Empty if there is none, or if its destinations are invalid. */
export async function outlineOf(document: PDFDocumentProxy): Promise<Outline> {
  const outline: Outline = new Map();
  const waiting: { entries: Entries; depth: number }[] = [];
  const entries = await document.getOutline().catch(() => null);
  if (entries) waiting.push({ entries, depth: 1 });
  for (let next = waiting.pop(); next && outline.size < MOST_ENTRIES; next = waiting.pop()) {
    for (const { title, dest, items } of next.entries.slice(0, MOST_ENTRIES)) {
      const page = await pageOf(document, dest);
      if (page !== undefined) outline.set(outlineKey(page, title), next.depth);
      if (items.length > 0) waiting.push({ entries: items, depth: next.depth + 1 });
    }
  }
  return outline;
}

/** @param page counts from 1 */
export function outlineKey(page: number, title: string): string {
  return `${page} ${title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')}`;
}

async function pageOf(
  document: PDFDocumentProxy,
  dest: Entries[number]['dest'],
): Promise<number | undefined> {
  try {
    const [target] = (typeof dest === 'string' ? await document.getDestination(dest) : dest) ?? [];
    if (typeof target === 'number') return target + 1;
    return target ? 1 + (await document.getPageIndex(target)) : undefined;
  } catch {
    return undefined;
  }
}
