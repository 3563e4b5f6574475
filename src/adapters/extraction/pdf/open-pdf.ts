import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { REASONS, UnreadableError } from '../unreadable.ts';

/** The location of the character maps (CJK encodings) and of the standard fonts. */
const LIBRARY = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const ERRORS_ONLY = 0;

/**
 * Opens a PDF for text extraction. Images are not decoded, and system fonts are not used.
 *
 * @throws UnreadableError when it is broken or protected
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const task = getDocument({
    data: bytes,
    cMapUrl: join(LIBRARY, 'cmaps/'),
    standardFontDataUrl: join(LIBRARY, 'standard_fonts/'),
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
