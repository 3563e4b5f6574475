import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { zip } from '../adapters/extraction/zip.ts';

/* Small files that take gigabytes when they are read. */

const MEGABYTE = 1024 * 1024;
const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet';

/**
 * A PDF whose only page is 2 GB of blanks, deflated twice. The 5 MB of spaces at its end give it the
 * time to reach its memory limit on a busy machine: the time limit grows with the size of a file.
 */
export function swellingPdf(): Buffer {
  const stream = deflateSync(blanks(2048), { level: 9 });
  const filters = '/Filter[/FlateDecode/FlateDecode]';
  return Buffer.concat([
    Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n' +
        '2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n' +
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>endobj\n' +
        `4 0 obj<</Length ${stream.length}${filters}>>stream\n`,
    ),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>\n%%EOF'),
    Buffer.alloc(5 * MEGABYTE, ' '),
  ]);
}

/** Deflated blanks: a block that refers to nothing before it, so that it can be repeated. */
function blanks(megabytes: number): Buffer {
  const finishFlush = constants.Z_FULL_FLUSH;
  const block = deflateRawSync(Buffer.alloc(16 * MEGABYTE, ' '), { level: 9, finishFlush });
  const header = Buffer.from([0x78, 0xda]);
  const end = Buffer.from([3, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...Array<Buffer>(megabytes / 16).fill(block), end]);
}

/** An OpenDocument spreadsheet with one cell, which is repeated. */
export function swellingSheet(columns: number, rows: number): Buffer {
  const names = ['office', 'table', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  const cell = `<table:table-cell table:number-columns-repeated="${columns}" office:value-type="string"><text:p>a</text:p></table:table-cell>`;
  const row = `<table:table-row table:number-rows-repeated="${rows}">${cell}</table:table-row>`;
  return zip({
    mimetype: SPREADSHEET,
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'styles.xml': '<office:document-styles/>',
    'content.xml': `<office:document-content ${names.join(' ')}><office:body><office:spreadsheet><table:table table:name="S">${row}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
}

/** A zip file in which a part says that it unpacks to a kilobyte, and unpacks to more. */
export function lyingZip(honest: Buffer, name: string): Buffer {
  const bytes = Buffer.from(honest);
  for (const [signature, size, at] of [
    ['PK\x03\x04', 22, 30],
    ['PK\x01\x02', 24, 46],
  ] as const) {
    for (let header = bytes.indexOf(signature); header >= 0; ) {
      const isMeant = bytes.toString('latin1', header + at, header + at + name.length) === name;
      if (isMeant) bytes.writeUInt32LE(1024, header + size);
      header = bytes.indexOf(signature, header + 1);
    }
  }
  return bytes;
}
