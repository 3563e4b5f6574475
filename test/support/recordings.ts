import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** What is longer than a piece is cut by ffmpeg: tests of that need it. */
export const HAS_FFMPEG = !spawnSync('ffmpeg', ['-version']).error;

/** Says, in three sentences with silences between: what `HEARD` of the OpenAI double says. */
export async function recording(name: string): Promise<Blob> {
  return new Blob([await readFile(`test/fixtures/recordings/${name}`)]);
}

const RATE = 16_000;
/** A second. */
const TONE = Int16Array.from({ length: RATE }, (_, n) => 12_000 * Math.sin(n / 5));

/**
 * A WAV file of tones with silences between them.
 *
 * @param sounds how many whole seconds of each: a tone, a silence, a tone, ...
 */
export function tones(sounds: number[]): Blob {
  const parts = sounds.map((seconds, at) => {
    const samples = new Int16Array(seconds * RATE);
    if (at % 2 === 0) for (let n = 0; n < samples.length; n += RATE) samples.set(TONE, n);
    return samples;
  });
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const numbers: [value: number, offset: number, bytes: number][] = [
    [36 + bytes, 4, 4],
    [16, 16, 4],
    [1, 20, 2],
    [1, 22, 2],
    [RATE, 24, 4],
    [2 * RATE, 28, 4],
    [2, 32, 2],
    [16, 34, 2],
    [bytes, 40, 4],
  ];
  const wav = Buffer.from('RIFF____WAVEfmt ____________________data____');
  for (const [value, offset, length] of numbers) wav.writeUIntLE(value, offset, length);
  return new Blob([wav, ...parts]);
}
