/** Where pdf.js finds its character maps (CJK encodings) and standard fonts. */
export const PDF_DATA = new URL('../../../generated/pdfjs/', import.meta.url);
