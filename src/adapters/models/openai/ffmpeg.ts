import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** There is no ffmpeg on this machine. */
export class NoFfmpegError extends Error {
  override readonly name = 'NoFfmpegError';
}

/** Nothing can be made of a recording; the message is for the person who sent it. */
export class UnheardError extends Error {
  override readonly name = 'UnheardError';
}

export const UNHEARD = 'it is broken, or nothing can be heard in it';

/** A recording as plain sound: 16 bits a sample, one channel. */
export interface Sound {
  /** The middles of its silences, in seconds, in their order. */
  silences: number[];
}

/** Samples a second: all that speech models listen to. */
export const SAMPLE_RATE = 16_000;

/** None of these opens another file or the network, whatever a recording says. */
const FORMATS =
  'aac,aiff,asf,avi,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,wav,webm,mp4,m4a,3gp,amr';
const SILENCE = 'silencedetect=noise=-35dB:duration=0.3';

/**
 * Writes the sound of a recording to `target`, and listens for its silences.
 *
 * @param seconds how much of it to take at most
 * @throws NoFfmpegError, UnheardError
 */
export async function extractSound(
  source: string,
  target: string,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<Sound> {
  const only = ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS];
  const sound = ['-map', '0:a:0', '-af', SILENCE, '-ac', '1', '-ar', String(SAMPLE_RATE)];
  const output = ['-t', String(seconds), '-f', 's16le', '-y', `file:${target}`];
  const silences: number[] = [];
  let begin = 0;
  let last = '';
  await run([...only, '-i', `file:${source}`, ...sound, ...output], signal, (line) => {
    last = line;
    const [, edge, at] = /^\[silencedetect @ .*silence_(start|end): (-?[\d.]+)/.exec(line) ?? [];
    if (edge === 'start') begin = Math.max(0, Number(at));
    if (edge === 'end') silences.push((begin + Number(at)) / 2);
  }).catch((error: unknown) => {
    // What is full is our disk: nothing is wrong with the recording.
    throw /No space left/.test(last) ? new Error(last) : error;
  });
  return { silences };
}

/** @throws NoFfmpegError */
export function findFfmpeg(): Promise<void> {
  return run(['-version'], AbortSignal.timeout(10_000), () => {});
}

async function run(
  args: string[],
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<void> {
  signal.throwIfAborted();
  const ffmpeg = spawn('ffmpeg', ['-nostdin', '-hide_banner', '-nostats', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  createInterface(ffmpeg.stderr).on('line', onLine);
  const [code] = await once(ffmpeg, 'close').catch((error: NodeJS.ErrnoException) => {
    signal.throwIfAborted();
    throw error.code === 'ENOENT' ? new NoFfmpegError('ffmpeg is not installed') : error;
  });
  if (code !== 0) throw new UnheardError(UNHEARD);
}
