import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Properties derived from the name of a font. */
export interface Font {
  bold: boolean;
  monospaced: boolean;
}

/** Fonts by the names that pdf.js gives them, which are the same on all pages of a document. */
export type Fonts = Map<string, Font>;

export const PLAIN: Font = { bold: false, monospaced: false };
const BOLD = /bold|black|heavy|semib|demi|(?:cm|sf|ec|lm)[a-z]*bx|cmb\d|[-,]bd?\b/i;
const MONOSPACED =
  /mono|courier|consol|typewriter|menlo|inconsol|(?:cm|sf|ec|lm)[a-z]*tt|\bfixed|terminal/i;

/** Adds the fonts of a page that were not on earlier pages. */
export async function learnFonts(
  page: PDFPageProxy,
  styles: Record<string, { fontFamily: string }>,
  fonts: Fonts,
): Promise<void> {
  const unknown = Object.keys(styles).filter((name) => !fonts.has(name));
  if (unknown.length === 0) return;
  // The real font names are available only after the operators of the page were loaded.
  await page.getOperatorList();
  for (const name of unknown) {
    const monospaced = styles[name]?.fontFamily === 'monospace';
    fonts.set(name, fontOf(trueName(page, name), monospaced));
  }
}

export function fontNamed(fonts: Fonts, name: string): Font {
  return fonts.get(name) ?? PLAIN;
}

function trueName(page: PDFPageProxy, name: string): string {
  // It throws when there is no such font.
  return page.commonObjs.has(name) ? (page.commonObjs.get(name)?.name ?? '') : '';
}

function fontOf(name: string, monospaced: boolean): Font {
  return { bold: BOLD.test(name), monospaced: monospaced || MONOSPACED.test(name) };
}
