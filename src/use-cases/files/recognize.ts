import { rm, writeFile } from 'node:fs/promises';
import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { SpooledFile } from '../../core/model.ts';
import type { FileKind, RecognizedText } from '../../ports/text-extractor.ts';
import type { Dependencies } from '../dependencies.ts';
import { runTaskGroup } from '../task-group.ts';

/** The input of the extraction in place of a file. */
export interface Recognized {
  file: SpooledFile;
  kind: FileKind;
  /** The path of the texts of pages that are images. */
  recognized?: string;
}

/** Pages of one file that are recognized concurrently. */
const PAGES_AT_ONCE = 4;
/** A file with the text of an image. */
const RECOGNIZED: FileKind = { format: 'recognized', mimeType: 'text/markdown', media: false };
const PAGE_TYPE = 'image/png';

/**
 * Recognizes the text of images, and of pages that are images. Other files are extracted as they are,
 * and documents too when there is no recognizer.
 *
 * @returns a function that throws AppError UNREADABLE_FILE, among others
 */
export function createRecognize({
  extractor,
  recognizer,
}: Pick<Dependencies, 'extractor' | 'recognizer'>) {
  return async (
    file: SpooledFile,
    kind: FileKind,
    { owner, signal }: { owner: string; signal: AbortSignal },
  ): Promise<Recognized> => {
    if (kind.images === 'file') {
      if (!recognizer) throw noRecognizer(file);
      const text = await recognizer.recognize({ ...file, mimeType: kind.mimeType }, signal);
      const path = await save(file, [{ text }]);
      return { file: { ...file, path }, kind: RECOGNIZED };
    }
    if (kind.images !== 'pages' || !recognizer) return { file, kind };
    const most = LIMITS.recognizedPages;
    const pages = await extractor.renderPages(file, { owner, most, signal });
    if (pages.length === 0) return { file, kind };
    const texts: RecognizedText[] = [];
    await runTaskGroup(
      pages.entries(),
      { concurrency: PAGES_AT_ONCE, signal },
      async ([at, { page, path, size }], groupSignal) => {
        const originalName = `${file.originalName}, page ${page}`;
        const image = { originalName, mimeType: PAGE_TYPE, path, size };
        texts[at] = { page, text: await recognizer.recognize(image, groupSignal) };
        await rm(path, { force: true });
      },
    );
    return { file, kind, recognized: await save(file, texts) };
  };
}

export function noRecognizer({ originalName: file }: SpooledFile): AppError {
  const reason = 'images need a model that reads them, and none is configured';
  return new AppError('UNSUPPORTED_FILE_TYPE', { file, reason });
}

/** Next to the file, and removed with it. */
async function save({ path }: SpooledFile, texts: RecognizedText[]): Promise<string> {
  const target = `${path}.recognized`;
  await writeFile(target, JSON.stringify(texts), { mode: 0o600 });
  return target;
}
