import { open } from 'node:fs/promises';

/** A format of Office before 2007, which LibreOffice converts to one that has a reader. */
export interface OldFormat {
  extensions: readonly string[];
  mimeType: string;
  /** The name of its main stream in the container. */
  stream: string;
  /** LibreOffice's name of the format: files are read as nothing else. */
  filter: string;
  convertTo: 'docx' | 'pptx';
}

export const OLD_FORMATS: Readonly<Record<string, OldFormat>> = {
  doc: {
    extensions: ['doc', 'dot'],
    mimeType: 'application/msword',
    stream: 'WordDocument',
    filter: 'MS Word 97',
    convertTo: 'docx',
  },
  ppt: {
    extensions: ['ppt', 'pps', 'pot'],
    mimeType: 'application/vnd.ms-powerpoint',
    stream: 'PowerPoint Document',
    filter: 'MS PowerPoint 97',
    convertTo: 'pptx',
  },
};

/** In bytes. */
const HEADER = 64;
const ENTRY = 128;
/** The main stream is among the first; embedded objects come after it. */
const ENTRIES = 32;
const SECTOR_SHIFT_AT = 30;
const DIRECTORY_AT = 48;
const NAME_LENGTH_AT = 64;

/**
 * The format of a container of old Office documents (CFB), by the first main stream in its directory.
 *
 * Source: [MS-CFB], Compound File Binary File Format
 */
export async function identifyOldOffice(path: string): Promise<string | undefined> {
  const handle = await open(path);
  try {
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const header = await read(0, HEADER);
    if (header.length < HEADER) return undefined;
    const shift = header.readUInt16LE(SECTOR_SHIFT_AT);
    if (shift !== 9 && shift !== 12) return undefined;
    // The header is a sector too.
    const start = (header.readUInt32LE(DIRECTORY_AT) + 1) * 2 ** shift;
    const directory = await read(start, ENTRIES * ENTRY);
    const names = namesIn(directory);
    return Object.keys(OLD_FORMATS).find((format) =>
      names.includes(OLD_FORMATS[format]?.stream ?? ''),
    );
  } finally {
    await handle.close();
  }
}

function namesIn(directory: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + ENTRY <= directory.length; at += ENTRY) {
    const length = directory.readUInt16LE(at + NAME_LENGTH_AT);
    // In UTF-16, with a zero at the end.
    if (length >= 2 && length <= NAME_LENGTH_AT) {
      names.push(directory.toString('utf16le', at, at + length - 2));
    }
  }
  return names;
}
