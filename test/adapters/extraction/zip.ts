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

/** A Word document with this main part. */
export function word(document: string | Uint8Array): Buffer<ArrayBuffer> {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    'word/document.xml': document,
  });
}

/** A Word document of short paragraphs, which is read whole. */
export function paragraphs(count: number): Buffer<ArrayBuffer> {
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const body = '<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(count);
  return word(`<w:document xmlns:w="${namespace}"><w:body>${body}</w:body></w:document>`);
}
