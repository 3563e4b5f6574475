/** In characters: a statement is searched in this much text before its end. */
const LONGEST_STATEMENT = 2_000;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** The punctuation before a statement, and the markers of lists, headings and quotations. */
const LEAD = /^[\s,;:.!?…)\]}、。，；：！？）」』]*(?:(?:[-*+•–]|#{1,6}|\d{1,3}[.)])\s+|>\s*)*/u;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Finds the statement at the end of a text: its last sentence, or the part of it after the previous
 * statement. If that part has no words, the statement is the previous one again.
 *
 * @param before the previous statement
 * @returns where it begins, in UTF-16 code units; `undefined` when there is no statement
 */
export function startOfStatement(
  text: string,
  before?: { start: number; end: number },
): number | undefined {
  const from = Math.max(before?.end ?? 0, text.length - LONGEST_STATEMENT);
  const since = text.slice(from);
  if (!HAS_WORD.test(since)) return before?.start;
  let start = from;
  for (const { segment, index } of sentences.segment(since)) {
    if (HAS_WORD.test(segment)) start = from + index + (LEAD.exec(segment)?.[0].length ?? 0);
  }
  return start;
}
