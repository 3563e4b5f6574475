import { cp } from 'node:fs/promises';
import { PDF_DATA } from './pdf-data.ts';

/* Part of `npm run generate`. The built package has pdf.js in a module, and not the package beside it. */

const library = new URL('.', import.meta.resolve('pdfjs-dist/package.json'));
for (const folder of ['cmaps/', 'standard_fonts/']) {
  await cp(new URL(folder, library), new URL(folder, PDF_DATA), { recursive: true });
}
