import { crc32, deflateSync } from 'node:zlib';

/** One byte for each pixel, from the top left: 0 is black. */
export interface GreyImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
const GREY = 0;
/** Each byte as its difference to the one on its left, which compresses better. */
const SUB = 1;

/** An image as a PNG file. */
export function encodePng({ width, height, pixels }: GreyImage): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, GREY], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const row = y * (width + 1);
    rows[row] = SUB;
    let left = 0;
    for (let x = 0; x < width; x += 1) {
      const pixel = pixels[y * width + x] ?? 0;
      rows[row + 1 + x] = pixel - left;
      left = pixel;
    }
  }
  return Buffer.concat([
    SIGNATURE,
    part('IHDR', header),
    part('IDAT', deflateSync(rows)),
    part('IEND', Buffer.alloc(0)),
  ]);
}

function part(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
