import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** ffmpeg is not installed. */
export class NoFfmpegError extends Error {
  override readonly name = 'NoFfmpegError';
}

/** A recording cannot be transcribed. The message is for the user who uploaded it. */
export class InaudibleError extends Error {
  override readonly name = 'InaudibleError';
}

export const INAUDIBLE = 'it is broken, or nothing can be heard in it';

/** A recording as raw audio: one channel, 16 bits per sample. */
export interface Sound {
  /** The middle of each silence, in seconds, in ascending order. */
  silences: number[];
}

/** Samples per second; speech models use no more. */
export const SAMPLE_RATE = 16_000;

/** None of these formats can make ffmpeg open another file or the network. */
const FORMATS =
  'aac,aiff,asf,avi,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,wav,webm,mp4,m4a,3gp,amr';
const SILENCE = 'silencedetect=noise=-35dB:duration=0.3';

/**
 * Writes the sound of a recording to `target`, and finds its silences.
 *
 * @param seconds the most to extract
 * @throws NoFfmpegError, InaudibleError
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
    // The disk of the gateway is full: the recording is not the cause.
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
  if (code !== 0) throw new InaudibleError(INAUDIBLE);
}
