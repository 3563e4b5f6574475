import { openAsBlob } from 'node:fs';
import pMap from 'p-map';
import { ConfigurationError } from '../../../core/errors.ts';
import { srtTime } from '../../../core/subtitles.ts';
import type { Transcriber } from '../../../ports/transcriber.ts';
import { rememberSuccess } from '../../remember-success.ts';
import { explainFailure } from '../explain-failure.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { createClient, listModels, nameChoice, type OpenAiOptions } from './openai-server.ts';
import { type Cue, formatOf } from './read-transcript.ts';
import { type Piece, withPieces } from './recording-pieces.ts';
import { blameRecording } from './recording-refusals.ts';

/** What OpenAI takes at once: 25 MiB with all that stands around the recording. */
const MOST_BYTES = 25_000_000;
/** What OpenAI takes as it is, by MIME type, with the extension by which it tells them apart. */
const TAKEN: Readonly<Record<string, string>> = {
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
/** Seconds of a piece: 19 MB of sound. */
const LONG_PIECE = 600;
/** Seconds of a piece whose times are those of what is said in it. */
const SHORT_PIECE = 30;
const PIECES_AT_ONCE = 4;
/** Milliseconds: nothing comes before all is heard. Node's fetch waits no longer for an answer. */
const PATIENCE = 300_000;
/** Milliseconds that a check which passed is good for. */
const GOOD_FOR = 60_000;

/**
 * Transcription by a model of OpenAI, or of a server that speaks its protocol. What such a model does
 * not take as it is, is cut in pieces by ffmpeg, if that is installed.
 */
export function createOpenAiTranscriber({
  server,
  model,
}: Omit<OpenAiOptions, 'patience'>): Transcriber {
  const client = createClient({ server, model, patience: PATIENCE });
  const format = formatOf(model);
  const explain = (error: unknown) =>
    explainFailure(error, { server, model, setting: 'TRANSCRIPTION_MODEL' });

  return {
    name: model,

    async transcribe(file, { mimeType }, signal) {
      const extension = TAKEN[mimeType];
      const fits = file.size <= MOST_BYTES;
      try {
        let cues: Cue[];
        if (extension && fits && format.timed) {
          const audio = new File([await openAsBlob(file.path)], `recording.${extension}`);
          cues = await hear({ audio, start: 0, length: 0 }, signal);
        } else {
          const longest = format.timed ? LONG_PIECE : SHORT_PIECE;
          cues = await withPieces(file.path, { longest, signal }, (pieces) =>
            hearAll(pieces, signal),
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
        throw blameRecording(error, file.originalName, fits) ?? explain(error);
      }
    },

    check: rememberSuccess(async () => {
      if (!format.timed) await requireFfmpeg(model);
      const models = await listModels(client).catch((error: unknown) => {
        throw explain(error);
      });
      if (!models || models.includes(model)) return;
      const missing = `TRANSCRIPTION_MODEL: ${model} at ${server.baseUrl} is not there; take a model that is`;
      throw nameChoice(new Error(missing), model, models);
    }, GOOD_FOR),
  };

  async function hearAll(pieces: Piece[], signal: AbortSignal): Promise<Cue[]> {
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const options = { concurrency: PIECES_AT_ONCE, signal: either };
    try {
      return (await pMap(pieces, (piece) => hear(piece, either), options)).flat();
    } finally {
      // After a failure nothing goes on that costs money.
      failed.abort();
    }
  }

  async function hear({ audio, start, length }: Piece, signal: AbortSignal): Promise<Cue[]> {
    const answer: unknown = await client.audio.transcriptions.create(
      {
        file: audio,
        model,
        response_format: format.name,
        // It wants to be told how to cut what is longer than 30 seconds.
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
      `TRANSCRIPTION_MODEL: ${model} tells no times, so its recordings are cut in pieces: install ffmpeg, or take whisper-1`,
    );
  });
}
