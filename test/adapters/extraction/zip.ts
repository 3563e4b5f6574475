import { crc32, deflateRawSync } from 'node:zlib';

/** A zip file, made on the spot. */
export function zip(files: Record<string, string | Uint8Array>): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const packed = deflateRawSync(bytes, { level: 1 });
    // Version, flags, method (deflate), time and date, then what both headers have in common.
    const common = Buffer.alloc(26);
    common.set([20, 0, 0, 0, 8, 0]);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, rest, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, entries, end]);
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A Word document with this main part, and with others by their names. */
export function word(
  document: string | Uint8Array,
  others: Record<string, string> = {},
): Buffer<ArrayBuffer> {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    'word/document.xml': document,
    ...others,
  });
}

/** A Word document with this body, and with other parts, such as `comments`. */
export function wordDocument(
  body: string,
  parts: Record<string, string> = {},
): Buffer<ArrayBuffer> {
  const others = Object.entries(parts).map(([name, part]) => [
    `word/${name}.xml`,
    part.replace('>', ` xmlns:w="${WORD}">`),
  ]);
  return word(
    `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    Object.fromEntries(others),
  );
}

/** A Word document of short paragraphs, which is read whole. */
export function paragraphs(count: number): Buffer<ArrayBuffer> {
  return wordDocument('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(count));
}

/** A book of one page. */
export function epub(page: string): Buffer<ArrayBuffer> {
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf':
      '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${page}</body></html>`,
  });
}
