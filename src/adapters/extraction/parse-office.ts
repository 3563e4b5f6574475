import {
  type OfficeError,
  OfficeErrorType,
  type OfficeParserAST,
  type OfficeParserConfig,
  OfficeWarningType,
  parseOffice,
  type SupportedFileType,
} from 'officeparser';
import { REASONS, UnreadableError } from './unreadable.ts';

/** All that is wanted is the text, and no document is worth more memory than this. */
const CONFIG: OfficeParserConfig = {
  ignoreSlideMasters: true,
  ignoreInternalLinks: true,
  decompressionLimits: { maxUncompressedBytes: 128 * 1024 * 1024 },
};

const REASON_OF: Partial<Record<string, string>> = {
  [OfficeErrorType.PASSWORD_REQUIRED]: REASONS.protected,
  [OfficeErrorType.PASSWORD_INCORRECT]: REASONS.protected,
  [OfficeErrorType.DOCUMENT_DECRYPTION_FAILED]: REASONS.protected,
  [OfficeErrorType.ZIP_ENTRY_COUNT_LIMIT_EXCEEDED]: REASONS.tooMuch,
  [OfficeErrorType.ZIP_SIZE_LIMIT_EXCEEDED]: REASONS.tooMuch,
  [OfficeErrorType.XML_ELEMENT_LIMIT_EXCEEDED]: REASONS.tooMuch,
  [OfficeErrorType.MAX_NESTING_DEPTH_EXCEEDED]: REASONS.tooDeep,
};
/** A document of which a part was left out is not read. */
const LOSSES = new Set<string>([
  OfficeWarningType.TABLE_CELL_LIMIT_EXCEEDED,
  OfficeWarningType.REPEATED_CONTENT_LIMIT_EXCEEDED,
]);

/**
 * The tree of a document.
 *
 * @throws UnreadableError when it is broken, protected or unreasonable
 */
export async function parseDocument(
  bytes: Buffer,
  fileType: SupportedFileType,
  abortSignal: AbortSignal,
): Promise<OfficeParserAST> {
  const config = { ...CONFIG, fileType, abortSignal };
  const document = await parseOffice(bytes, config).catch((error: OfficeError) => {
    abortSignal.throwIfAborted();
    const reason = REASON_OF[error.officeIssue?.code ?? ''] ?? REASONS.broken;
    throw new UnreadableError(reason, { cause: error });
  });
  if (document.warnings.some(({ code }) => LOSSES.has(code))) {
    throw new UnreadableError(REASONS.tooMuch);
  }
  return document;
}
