import { openAsBlob } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { extractSound, SAMPLE_RATE, UnheardError } from './ffmpeg.ts';

/** A part of a recording. */
export interface Piece {
  /** A WAV file that is read from the disk as it is sent. */
  audio: File;
  /** In seconds from the beginning of the recording. */
  start: number;
  /** In seconds. */
  length: number;
}

const BYTES_A_SECOND = 2 * SAMPLE_RATE;
/** In seconds: beyond any meeting. A small file may claim to be as long as it likes. */
const LONGEST_RECORDING = 12 * 3600;
/** In seconds; models refuse what is shorter, and no word is. */
const SHORTEST_PIECE = 0.1;

/**
 * Cuts a recording in pieces, at silences where there are any, and hands them to `use`. Its sound is
 * beside it on the disk meanwhile, 2 MB a minute.
 *
 * @param longest seconds of a piece at most
 * @throws NoFfmpegError, UnheardError
 */
export async function withPieces<T>(
  path: string,
  { longest, signal }: { longest: number; signal: AbortSignal },
  use: (pieces: Piece[]) => Promise<T>,
): Promise<T> {
  const sound = `${path}.pcm`;
  try {
    // A second more tells what is too long from what just fits.
    const seconds = LONGEST_RECORDING + 1;
    const { silences } = await extractSound(path, sound, { seconds, signal });
    const length = (await stat(sound)).size / BYTES_A_SECOND;
    if (length > LONGEST_RECORDING) throw new UnheardError('it is longer than 12 hours');
    const bytes = await openAsBlob(sound);
    const ends = [...chooseCuts(silences, length, longest), length];
    const pieces = ends.map((end, at) => toPiece(bytes, ends[at - 1] ?? 0, end));
    return await use(pieces.filter((piece) => piece.length >= SHORTEST_PIECE));
  } finally {
    await rm(sound, { force: true });
  }
}

/**
 * Where to cut, in seconds: no piece is longer than `longest`, and none that ends in a silence is
 * shorter than a third of it.
 *
 * @param silences in seconds, in their order
 */
export function chooseCuts(silences: number[], length: number, longest: number): number[] {
  const cuts: number[] = [];
  let start = 0;
  while (length - start > longest) {
    const [earliest, latest] = [start + longest / 3, start + longest];
    start = silences.findLast((at) => at >= earliest && at <= latest) ?? latest;
    cuts.push(start);
  }
  return cuts;
}

function toPiece(sound: Blob, start: number, end: number): Piece {
  const [from, to] = [byteAt(start), byteAt(end)];
  const audio = new File([wavHeader(to - from), sound.slice(from, to)], 'piece.wav', {
    type: 'audio/wav',
  });
  return { audio, start, length: end - start };
}

function byteAt(seconds: number): number {
  return 2 * Math.round(seconds * SAMPLE_RATE);
}

/** What stands before the samples of a WAV file. */
function wavHeader(bytes: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(BYTES_A_SECOND, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
