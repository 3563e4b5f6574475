import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import { extension as extensionOfType, lookup } from 'mime-types';
import { AppError } from '../../core/errors.ts';
import type { SpooledFile } from '../../core/model.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import { isText } from './encoding.ts';
import { DOCUMENTS, formatOf, IMAGES, READABLE, TEXTS } from './formats.ts';
import { identifyOldOffice, OLD_FORMATS } from './old-office.ts';

/** In bytes. */
const SAMPLE = 64 * 1024;
/** Containers of encrypted and unusual Office documents. Here the name is more specific. */
const CONTAINERS = ['zip', 'cfb'];
const OLD_OFFICE = 'documents of old Office versions cannot be read: save it as .docx or .pptx';
const MEDIA = /^(?:audio|video)\//;
const TEXT = /^text\/|[/+](?:xml|json|javascript|yaml|toml|sql|x-sh)$/;

/**
 * Identifies the format of a file by its content and, if that is ambiguous, by its name.
 *
 * @throws AppError UNSUPPORTED_FILE_TYPE
 */
export async function identifyFile(
  file: SpooledFile,
  { hasOffice }: { hasOffice: boolean },
): Promise<FileKind> {
  const extension = extensionOf(file);
  if (file.size === 0) return textKind(extension);

  const sample = await sampleOf(file);
  const isWhole = sample.length === file.size;
  const found = await (isWhole ? fileTypeFromBuffer(sample) : fileTypeFromFile(file.path)).catch(
    () => undefined,
  );
  const document = formatOf(found?.ext ?? '', DOCUMENTS);
  if (document) return documentKind(document);

  const old = found?.ext === 'cfb' ? await oldFormatOf(file, extension) : undefined;
  if (old) {
    if (!hasOffice) throw noOffice(file);
    return { format: old, mimeType: OLD_FORMATS[old]?.mimeType ?? '', media: false };
  }

  const imageType = found?.mime ?? '';
  if (IMAGES.includes(imageType)) {
    return { format: 'image', mimeType: imageType, media: false, images: 'file' };
  }

  const named = formatOf(extension, DOCUMENTS);
  if (named && CONTAINERS.includes(found?.ext ?? '')) return documentKind(named);

  if (isText(sample)) {
    if (named) throw unsupported(file, `it is called .${extension}, but holds plain text`);
    return textKind(extension);
  }
  // PDF readers tolerate data before the header.
  if (sample.subarray(0, 1024).includes('%PDF-')) return documentKind('pdf');

  const mimeType = found?.mime ?? (lookup(extension) || '');
  if (MEDIA.test(mimeType)) return { format: 'media', mimeType, media: true };
  throw unsupported(file, reasonFor(found?.mime));
}

/** The extension in lower case, without the dot. Without one, it is derived from the declared type. */
function extensionOf({ originalName, mimeType }: SpooledFile): string {
  return extname(originalName).slice(1).toLowerCase() || extensionOfType(mimeType ?? '') || '';
}

function documentKind(format: string): FileKind {
  const kind = { format, mimeType: DOCUMENTS[format]?.mimeType ?? '', media: false };
  return format === 'pdf' ? { ...kind, images: 'pages' } : kind;
}

function textKind(extension: string): FileKind {
  const format = formatOf(extension, TEXTS);
  if (format) return { format, mimeType: TEXTS[format]?.mimeType ?? '', media: false };
  const mimeType = lookup(extension) || '';
  return { format: 'text', mimeType: TEXT.test(mimeType) ? mimeType : 'text/plain', media: false };
}

async function sampleOf({ path, size }: SpooledFile): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(size, SAMPLE)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function reasonFor(mimeType: string | undefined): string {
  if (mimeType === 'application/x-cfb') return OLD_OFFICE;
  const what = mimeType ? `${mimeType} cannot be read` : 'it is neither text nor a known document';
  return `${what}. Readable are ${READABLE}`;
}

/** An old Word or PowerPoint document, or what has only its name. */
async function oldFormatOf(file: SpooledFile, extension: string): Promise<string | undefined> {
  const named = Object.keys(OLD_FORMATS).find((format) =>
    OLD_FORMATS[format]?.extensions.includes(extension),
  );
  return (await identifyOldOffice(file.path)) ?? named;
}

export function noOffice(file: SpooledFile): AppError {
  return unsupported(file, OLD_OFFICE);
}

function unsupported(file: SpooledFile, reason: string): AppError {
  return new AppError('UNSUPPORTED_FILE_TYPE', { file: file.originalName, reason });
}
