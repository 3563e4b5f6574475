import type { SpooledFile, SrtEntry } from '../core/model.ts';

/** Writes down what is said in audio and video. */
export interface Transcriber {
  readonly name: string;
  transcribe(file: SpooledFile, signal: AbortSignal): Promise<SrtEntry[]>;
}
