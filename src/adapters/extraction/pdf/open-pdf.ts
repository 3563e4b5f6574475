import './canvas-classes.ts';
import { fileURLToPath } from 'node:url';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
// pdf.js would import it from a path of its package.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { REASONS, UnreadableError } from '../unreadable.ts';
import { PDF_DATA } from './pdf-data.ts';

const CHARACTER_MAPS = fileURLToPath(new URL('cmaps/', PDF_DATA));
const STANDARD_FONTS = fileURLToPath(new URL('standard_fonts/', PDF_DATA));
const ERRORS_ONLY = 0;

/**
 * Opens a PDF for text extraction. Images are not decoded, and system fonts are not used.
 *
 * @throws UnreadableError when it is broken or protected
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const task = getDocument({
    data: bytes,
    cMapUrl: CHARACTER_MAPS,
    standardFontDataUrl: STANDARD_FONTS,
    maxImageSize: 1,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    verbosity: ERRORS_ONLY,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw unreadable(error);
  }
}

export function unreadable(error: unknown): UnreadableError {
  const isProtected = error instanceof Error && error.name === 'PasswordException';
  return new UnreadableError(isProtected ? REASONS.protected : REASONS.broken, { cause: error });
}
