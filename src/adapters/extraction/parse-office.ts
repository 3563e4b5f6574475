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

/** Extracts text only, and limits the memory for a document. */
const CONFIG: OfficeParserConfig = {
  ignoreSlideMasters: true,
  ignoreInternalLinks: true,
  // Otherwise the words before and after the break of a page would be one.
  includeBreakNodes: true,
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
/** Warnings that a part of the document was omitted, which are treated as errors. */
const LOSSES = new Set<string>([
  OfficeWarningType.TABLE_CELL_LIMIT_EXCEEDED,
  OfficeWarningType.REPEATED_CONTENT_LIMIT_EXCEEDED,
]);

/**
 * Parses a document.
 *
 * @throws UnreadableError if it is broken, protected or exceeds a limit
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
