import { readFile, writeFile } from 'node:fs/promises';
import type { PageImage } from '../../../ports/text-extractor.ts';
import { encodePng } from '../png.ts';
import { REASONS, UnreadableError } from '../unreadable.ts';
import { isPicture, renderPage } from './page-image.ts';
import { loadPdfium, type Pdfium } from './pdfium.ts';

/**
 * Writes an image of each page without a text layer, as a file beside the document. A broken or protected
 * document has no images: its reader reports why.
 *
 * @param most images
 * @throws UnreadableError when there are more
 */
export async function* renderPages({
  path,
  most,
  signal,
}: {
  path: string;
  most: number;
  signal: AbortSignal;
}): AsyncGenerator<PageImage> {
  const pdfium = await loadPdfium();
  const bytes = await readFile(path);
  const address = pdfium.allocate(bytes.length);
  if (address === 0) throw new UnreadableError(REASONS.memory);
  pdfium.memory().set(bytes, address);
  const document = pdfium.FPDF_LoadMemDocument(address, bytes.length, '');
  try {
    const count = document === 0 ? 0 : pdfium.FPDF_GetPageCount(document);
    const pictures: number[] = [];
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted();
      if (withPage(pdfium, document, index, (page) => isPicture(pdfium, page)))
        pictures.push(index);
      if (pictures.length > most) {
        throw new UnreadableError(`more than ${most} of its pages are images`);
      }
    }
    for (const index of pictures) {
      signal.throwIfAborted();
      const image = withPage(pdfium, document, index, (page) => renderPage(pdfium, page));
      if (!image) continue;
      const png = encodePng(image);
      const target = `${path}.${index + 1}.png`;
      await writeFile(target, png, { mode: 0o600 });
      yield { page: index + 1, path: target, size: png.length };
    }
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    pdfium.free(address);
  }
}

/** The result of `use` for a page; nothing if the page is too broken to be rendered. */
function withPage<T>(
  pdfium: Pdfium,
  document: number,
  index: number,
  use: (page: number) => T,
): T | undefined {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) return undefined;
  try {
    return use(page);
  } finally {
    pdfium.FPDF_ClosePage(page);
  }
}
