import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { SpooledFile } from '../../core/model.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import type { Dependencies } from '../dependencies.ts';
import { noTranscriber } from './transcribe.ts';

/** Identifies an uploaded file by its content. @throws AppError when it cannot be ingested */
export function createIdentify({
  extractor,
  transcriber,
}: Pick<Dependencies, 'extractor' | 'transcriber'>) {
  return async (file: SpooledFile): Promise<FileKind> => {
    if (file.size === 0) {
      throw new AppError('UNREADABLE_FILE', { file: file.originalName, reason: 'it is empty' });
    }
    const kind = await extractor.identify(file);
    if (kind.media && !transcriber) throw noTranscriber(file);
    if (file.size > (kind.media ? LIMITS.mediaBytes : LIMITS.fileBytes)) {
      throw new AppError('FILE_TOO_LARGE');
    }
    return kind;
  };
}
