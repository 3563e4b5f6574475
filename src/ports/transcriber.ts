import type { SpooledFile, SrtEntry } from '../core/model.ts';
import type { FileKind } from './text-extractor.ts';

/** Writes down what is said in audio and video. */
export interface Transcriber {
  readonly name: string;
  /**
   * What is said in a recording, in its order; nothing when nobody speaks. It may write beside the file.
   *
   * @throws AppError RECORDING_TOO_LARGE, UNSUPPORTED_FILE_TYPE or UNREADABLE_FILE
   */
  transcribe(file: SpooledFile, kind: FileKind, signal: AbortSignal): Promise<SrtEntry[]>;
  /** Rejects, with a reason for the operator, when the model cannot be used. */
  check(): Promise<void>;
}
