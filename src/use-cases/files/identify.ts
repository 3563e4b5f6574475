import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { SpooledFile } from '../../core/model.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import type { Dependencies } from '../dependencies.ts';
import { noRecognizer } from './recognize.ts';
import { noTranscriber } from './transcribe.ts';

/** Identifies an uploaded file by its content. @throws AppError when it cannot be ingested */
export function createIdentify({
  extractor,
  transcriber,
  recognizer,
}: Pick<Dependencies, 'extractor' | 'transcriber' | 'recognizer'>) {
  return async (file: SpooledFile): Promise<FileKind> => {
    if (file.size === 0) {
      throw new AppError('UNREADABLE_FILE', { file: file.originalName, reason: 'it is empty' });
    }
    const kind = await extractor.identify(file);
    if (kind.media && !transcriber) throw noTranscriber(file);
    if (kind.images === 'file' && !recognizer) throw noRecognizer(file);
    if (file.size > mostBytes(kind)) throw new AppError('FILE_TOO_LARGE');
    return kind;
  };
}

function mostBytes({ media, images }: FileKind): number {
  if (images === 'file') return LIMITS.imageBytes;
  return media ? LIMITS.mediaBytes : LIMITS.fileBytes;
}
