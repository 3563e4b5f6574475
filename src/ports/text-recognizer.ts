import type { SpooledFile } from '../core/model.ts';

/** Reads the text in images. */
export interface TextRecognizer {
  readonly name: string;
  /**
   * The text of an image as Markdown; empty if there is none.
   *
   * @param image a PNG, JPEG, WebP or GIF file on the local disk
   * @throws AppError UNREADABLE_FILE when the model cannot read it
   */
  recognize(image: SpooledFile, signal: AbortSignal): Promise<string>;
  /** Rejects, with a reason for the operator, if the model cannot be used. */
  check(): Promise<void>;
}
