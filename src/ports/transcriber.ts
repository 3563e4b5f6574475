import type { SpooledFile, SrtEntry } from '../core/model.ts';
import type { FileKind } from './text-extractor.ts';

/** Transcribes the speech in audio and video files. */
export interface Transcriber {
  readonly name: string;
  /**
   * Transcribes a recording, in chronological order. The result is empty if nobody speaks. It may
   * write temporary files into the folder of the file.
   *
   * @throws AppError RECORDING_TOO_LARGE, UNSUPPORTED_FILE_TYPE or UNREADABLE_FILE
   */
  transcribe(file: SpooledFile, kind: FileKind, signal: AbortSignal): Promise<SrtEntry[]>;
  /** Rejects, with a reason for the operator, if the model cannot be used. */
  check(): Promise<void>;
}
