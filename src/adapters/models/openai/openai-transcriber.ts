import { openAsBlob } from 'node:fs';
import pMap from 'p-map';
import { ConfigurationError } from '../../../core/errors.ts';
import { srtTime } from '../../../core/subtitles.ts';
import type { Transcriber } from '../../../ports/transcriber.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { explainFailure } from '../explain-failure.ts';
import { checkListed } from './check-listed.ts';
import { findFfmpeg } from './ffmpeg.ts';
import {
  CHECK_TTL_MS,
  createClient,
  type OpenAiOptions,
  WHOLE_ANSWER_TIMEOUT_MS,
} from './openai-server.ts';
import { type Cue, formatOf } from './read-transcript.ts';
import { type Piece, withPieces } from './recording-pieces.ts';
import { blameRecording } from './recording-refusals.ts';

/** OpenAI accepts requests of 25 MiB, of which the recording is a little less. */
const MAX_BYTES = 25_000_000;
/** Extensions by MIME type, for the formats that OpenAI accepts; it recognizes them by extension. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'video/mp4': 'mp4',
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
};
/** Seconds in a piece: 19 MB of sound. */
const LONG_PIECE = 600;
/** Seconds in a piece for a model without timestamps: its cues get the times of the piece. */
const SHORT_PIECE = 30;
const MAX_CONCURRENT_PIECES = 4;

/**
 * Transcription by a model of OpenAI, or of a compatible server. A recording that the model does not
 * accept as it is gets converted and cut into pieces by ffmpeg, if that is installed.
 */
export function createOpenAiTranscriber({
  server,
  model,
}: Omit<OpenAiOptions, 'timeoutMs'>): Transcriber {
  const client = createClient({ server, model, timeoutMs: WHOLE_ANSWER_TIMEOUT_MS });
  const format = formatOf(model);
  const asked = { server, model, setting: 'TRANSCRIPTION_MODEL' } as const;

  return {
    name: model,

    async transcribe(file, { mimeType }, signal) {
      const extension = ACCEPTED[mimeType];
      const fits = file.size <= MAX_BYTES;
      try {
        let cues: Cue[];
        if (extension && fits && format.timed) {
          const audio = new File([await openAsBlob(file.path)], `recording.${extension}`);
          cues = await transcribePiece({ audio, start: 0, length: 0 }, signal);
        } else {
          const longest = format.timed ? LONG_PIECE : SHORT_PIECE;
          cues = await withPieces(file.path, { longest, signal }, (pieces) =>
            transcribeAll(pieces, signal),
          );
        }
        return cues.map(({ startTime, endTime, text }, at) => ({
          id: String(at + 1),
          startTime: srtTime(startTime),
          endTime: srtTime(endTime),
          text,
        }));
      } catch (error) {
        signal.throwIfAborted();
        throw blameRecording(error, file.originalName, fits) ?? explainFailure(error, asked);
      }
    },

    check: rememberSuccess(async () => {
      if (!format.timed) await requireFfmpeg(model);
      await checkListed(client, asked);
    }, CHECK_TTL_MS),
  };

  async function transcribeAll(pieces: Piece[], signal: AbortSignal): Promise<Cue[]> {
    const failed = new AbortController();
    const anyAbort = AbortSignal.any([signal, failed.signal]);
    const options = { concurrency: MAX_CONCURRENT_PIECES, signal: anyAbort };
    try {
      return (await pMap(pieces, (piece) => transcribePiece(piece, anyAbort), options)).flat();
    } finally {
      // After a failure, the other requests would only cost money.
      failed.abort();
    }
  }

  async function transcribePiece(
    { audio, start, length }: Piece,
    signal: AbortSignal,
  ): Promise<Cue[]> {
    const answer: unknown = await client.audio.transcriptions.create(
      {
        file: audio,
        model,
        response_format: format.name,
        // Required for recordings of more than 30 seconds.
        ...(format.name === 'diarized_json' && { chunking_strategy: 'auto' }),
      },
      { signal },
    );
    const cues = await format.read(answer, length);
    return cues.map(({ startTime, endTime, text }) => ({
      startTime: start + startTime,
      endTime: start + endTime,
      text,
    }));
  }
}

async function requireFfmpeg(model: string): Promise<void> {
  await findFfmpeg().catch(() => {
    throw new ConfigurationError(
      `TRANSCRIPTION_MODEL: ${model} returns no timestamps, so recordings are cut into pieces: install ffmpeg, or use whisper-1`,
    );
  });
}
