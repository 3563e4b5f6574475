import { createInflateRaw } from 'node:zlib';

/** Offsets in a header: file size, lengths of the name and of the extra field, and the name. */
interface Header {
  size: number;
  nameLength: number;
  extraLength: number;
  name: number;
}

const IN_DIRECTORY: Header = { size: 24, nameLength: 28, extraLength: 30, name: 46 };
const BEFORE_FILE: Header = { size: 22, nameLength: 26, extraLength: 28, name: 30 };

/** Marks a 64-bit size, which is in the extra field with the id below. */
const LARGE = 0xffffffff;
const LARGE_SIZES = 0x0001;

const DEFLATED = 8;
/**
 * Bytes to inflate at a time: as many as an entry declares, within these. Smaller blocks are no
 * quicker for a small entry, and take seconds for a large one that is declared to be small.
 */
const SMALLEST_BLOCK = 16 * 1024;
const BLOCK_SIZE = 1024 * 1024;

/**
 * Whether a zip file unpacks to more than `most` bytes. Checks the sizes declared in its directory
 * and before each file, because readers may allocate memory by either, and then the actual size.
 *
 * @throws RangeError if its offsets are invalid
 */
export async function unzipsToMore(zip: Buffer, most: number): Promise<boolean> {
  const entries = entriesOf(zip);
  let [said, found] = [0, 0];
  for (const { size } of entries) said += size;
  if (said > most) return true;
  for (const { size, method, data } of entries) {
    if (method === DEFLATED) found += await inflatedSize(zip.subarray(data), size, most - found);
    if (found > most) return true;
  }
  return false;
}

function entriesOf(zip: Buffer) {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const entries: { size: number; method: number; data: number }[] = [];
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const file = zip.readUInt32LE(entry + 42);
    entries.push({
      size: Math.max(sizeIn(zip, entry, IN_DIRECTORY), sizeIn(zip, file, BEFORE_FILE)),
      method: zip.readUInt16LE(file + 8),
      data: extraOf(zip, file, BEFORE_FILE).end,
    });
    entry = extraOf(zip, entry, IN_DIRECTORY).end + zip.readUInt16LE(entry + 32);
  }
  return entries;
}

/** The inflated size in bytes. Stops after the first block above `most`. @param declared the size */
async function inflatedSize(deflated: Buffer, declared: number, most: number): Promise<number> {
  const chunkSize = Math.min(Math.max(declared, SMALLEST_BLOCK), BLOCK_SIZE);
  const inflate = createInflateRaw({ chunkSize });
  inflate.end(deflated);
  let size = 0;
  for await (const block of inflate) {
    size += block.length;
    if (size > most) break;
  }
  return size;
}

function sizeIn(zip: Buffer, offset: number, header: Header): number {
  const size = zip.readUInt32LE(offset + header.size);
  if (size !== LARGE) return size;
  let { start, end } = extraOf(zip, offset, header);
  while (start < end && zip.readUInt16LE(start) !== LARGE_SIZES) {
    start += 4 + zip.readUInt16LE(start + 2);
  }
  return start < end ? Number(zip.readBigUInt64LE(start + 4)) : size;
}

function extraOf(zip: Buffer, offset: number, header: Header): { start: number; end: number } {
  const start = offset + header.name + zip.readUInt16LE(offset + header.nameLength);
  return { start, end: start + zip.readUInt16LE(offset + header.extraLength) };
}
