import { OpenAI } from 'openai';
import { AppError } from '../../../core/errors.ts';
import { INAUDIBLE, InaudibleError, NoFfmpegError } from './ffmpeg.ts';

/**
 * A failure that the recording caused, described to the user who uploaded it; `undefined` for any
 * other failure.
 *
 * @param fits whether the API accepts a recording of this size
 */
export function blameRecording(error: unknown, file: string, fits: boolean): AppError | undefined {
  const noFfmpeg = error instanceof NoFfmpegError;
  if (tooLarge(error) || (noFfmpeg && !fits)) {
    const reason = 'the recording is too large to be transcribed in one piece, of 25 MB at most';
    return new AppError('RECORDING_TOO_LARGE', { file, reason });
  }
  if (noFfmpeg) {
    const reason = 'this kind of recording cannot be transcribed; mp3, wav, m4a, mp4 and webm can';
    return new AppError('UNSUPPORTED_FILE_TYPE', { file, reason });
  }
  if (error instanceof InaudibleError) {
    return new AppError('UNREADABLE_FILE', { file, reason: error.message });
  }
  if (isAboutFile(error)) return new AppError('UNREADABLE_FILE', { file, reason: INAUDIBLE });
  return undefined;
}

function tooLarge(error: unknown): boolean {
  return error instanceof OpenAI.APIError && error.status === 413;
}

/** Servers reject a broken recording with the same status as a wrong parameter: its name shows which. */
function isAboutFile(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError) || ![400, 415, 422].includes(error.status)) return false;
  return (!error.param || error.param === 'file') && !/response_format|model/.test(error.message);
}
