import type { GreyImage } from '../png.ts';
import { REASONS, UnreadableError } from '../unreadable.ts';
import type { Pdfium } from './pdfium.ts';

/** The longer side of an image, in pixels: about 175 for each inch of A4. Models scale down larger ones. */
const LONGEST_SIDE = 2048;
/** Fewer may be a page number, or the name of the program that scanned the page. */
const FEWEST_LETTERS = 30;
/** The part of a page that its images cover. */
const SCANNED_PART = 0.5;
const WHITE = 0xffffffff;
/** Renders notes on the page too. */
const ANNOTATIONS = 1;
const IMAGE = 3;
/** A group of objects, such as an image in a frame. */
const FORM = 5;

/** Whether a page shows text without a text layer: a scan, or letters that are drawn as shapes. */
export function isPicture(pdfium: Pdfium, page: number): boolean {
  const objects = pdfium.FPDFPage_CountObjects(page);
  const letters = countLetters(pdfium, page);
  if (objects === 0 || letters >= FEWEST_LETTERS) return false;
  return letters === 0 || coveredPart(pdfium, page, objects) >= SCANNED_PART;
}

/** A page as it is shown, in shades of grey. */
export function renderPage(pdfium: Pdfium, page: number): GreyImage {
  const [pageWidth, pageHeight] = sizeOf(pdfium, page);
  const scale = LONGEST_SIDE / Math.max(pageWidth, pageHeight);
  const [width, height] = [pageWidth, pageHeight].map((side) =>
    Math.max(1, Math.round(side * scale)),
  ) as [number, number];
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new UnreadableError(REASONS.memory);
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const colours = pdfium.memory().subarray(start, start + stride * height);
    return { width, height, pixels: toGrey(colours, { width, height, stride }) };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/** The letters that can be seen, or that a search would find; counted as far as it matters. */
function countLetters(pdfium: Pdfium, page: number): number {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return 0;
  try {
    const characters = pdfium.FPDFText_CountChars(text);
    let letters = 0;
    for (let at = 0; at < characters && letters < FEWEST_LETTERS; at += 1) {
      const code = pdfium.FPDFText_GetUnicode(text, at);
      if (code > 0 && /\S/u.test(String.fromCodePoint(code))) letters += 1;
    }
    return letters;
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** The part of a page that images cover, where they lie side by side. */
function coveredPart(pdfium: Pdfium, page: number, objects: number): number {
  const [width, height] = sizeOf(pdfium, page);
  const bounds = pdfium.allocate(4 * Float32Array.BYTES_PER_ELEMENT);
  let covered = 0;
  for (let at = 0; at < objects; at += 1) {
    const object = pdfium.FPDFPage_GetObject(page, at);
    if (![IMAGE, FORM].includes(pdfium.FPDFPageObj_GetType(object))) continue;
    const addresses = [0, 1, 2, 3].map((n) => bounds + n * Float32Array.BYTES_PER_ELEMENT);
    const [a = 0, b = 0, c = 0, d = 0] = addresses;
    if (!pdfium.FPDFPageObj_GetBounds(object, a, b, c, d)) continue;
    const view = new DataView(pdfium.memory().buffer);
    const [left = 0, bottom = 0, right = 0, top = 0] = addresses.map((n) =>
      view.getFloat32(n, true),
    );
    covered += Math.abs((right - left) * (top - bottom));
  }
  pdfium.free(bounds);
  return covered / (width * height);
}

/** In points, as the page is turned. */
function sizeOf(pdfium: Pdfium, page: number): [number, number] {
  return [pdfium.FPDF_GetPageWidthF(page) || 1, pdfium.FPDF_GetPageHeightF(page) || 1];
}

/** From blue, green, red and nothing. */
function toGrey(
  colours: Uint8Array,
  { width, height, stride }: { width: number; height: number; stride: number },
): Uint8Array {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + 4 * x;
      // Without lists or objects, as it runs for millions of pixels.
      const grey = 29 * (colours[at] ?? 0) + 150 * (colours[at + 1] ?? 0);
      pixels[y * width + x] = (grey + 77 * (colours[at + 2] ?? 0)) >> 8;
    }
  }
  return pixels;
}
