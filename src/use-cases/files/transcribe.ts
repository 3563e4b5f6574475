import { writeFile } from 'node:fs/promises';
import { AppError } from '../../core/errors.ts';
import type { SpooledFile, SrtEntry } from '../../core/model.ts';
import { formatSrt } from '../../core/subtitles.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import type { Dependencies } from '../dependencies.ts';

/** The transcript of a recording, and the same as a file of subtitles. */
export interface Transcript {
  entries: SrtEntry[];
  subtitles: SpooledFile;
}

/** The format of `subtitles`. */
export const SUBTITLES: FileKind = {
  format: 'srt',
  mimeType: 'application/x-subrip',
  media: false,
};

/** @throws AppError for a recording that cannot be transcribed */
export function createTranscribe({ transcriber }: Pick<Dependencies, 'transcriber'>) {
  return async (file: SpooledFile, kind: FileKind, signal: AbortSignal): Promise<Transcript> => {
    if (!transcriber) throw noTranscriber(file);
    const entries = await transcriber.transcribe(file, kind, signal);
    // Next to the recording, and removed with it.
    const path = `${file.path}.srt`;
    const srt = formatSrt(entries);
    await writeFile(path, srt, { mode: 0o600, signal });
    return { entries, subtitles: { ...file, path, size: Buffer.byteLength(srt) } };
  };
}

export function noTranscriber({ originalName: file }: SpooledFile): AppError {
  const reason = 'audio and video need a transcriber, and none is configured';
  return new AppError('UNSUPPORTED_FILE_TYPE', { file, reason });
}

/** The columns of a record for a transcript. */
export function transcriptColumns(entries: SrtEntry[]) {
  return {
    transcriptionText: entries.map(({ text }) => text).join(' '),
    transcriptionSrt: entries.map((entry) => ({ ...entry })),
  };
}
