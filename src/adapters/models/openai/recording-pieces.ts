import { openAsBlob } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { extractSound, InaudibleError, SAMPLE_RATE } from './ffmpeg.ts';

/** A part of a recording. */
export interface Piece {
  /** A WAV file that is read from disk while it is sent. */
  audio: File;
  /** In seconds from the beginning of the recording. */
  start: number;
  /** In seconds. */
  length: number;
}

const BYTES_PER_SECOND = 2 * SAMPLE_RATE;
/** Longer than any meeting. A small file may claim any length. */
const MOST_HOURS = 12;
/** In seconds. */
const LONGEST_RECORDING = MOST_HOURS * 3600;
/** In seconds; models reject shorter pieces, and no word is shorter. */
const SHORTEST_PIECE = 0.1;

/**
 * Cuts a recording into pieces, at silences if possible, and passes them to `use`. Meanwhile its
 * sound is in a temporary file beside it, 2 MB per minute.
 *
 * @param longest the maximum length of a piece, in seconds
 * @throws NoFfmpegError, InaudibleError
 */
export async function withPieces<T>(
  path: string,
  { longest, signal }: { longest: number; signal: AbortSignal },
  use: (pieces: Piece[]) => Promise<T>,
): Promise<T> {
  const sound = `${path}.pcm`;
  try {
    // One more second distinguishes a recording that is too long from one that just fits.
    const seconds = LONGEST_RECORDING + 1;
    const { silences } = await extractSound(path, sound, { seconds, signal });
    const length = (await stat(sound)).size / BYTES_PER_SECOND;
    if (length > LONGEST_RECORDING) {
      throw new InaudibleError(`it is longer than ${MOST_HOURS} hours`);
    }
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
 * @param silences in seconds, in ascending order
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

/** The header of a WAV file. */
function wavHeader(bytes: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(BYTES_PER_SECOND, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
