const NUMBER = /^[\s\d,+\u2212-]+$/;
const WORD_END = /[\p{L}\p{N})\]]$/u;
const RAISED: Record<string, string> = { '+': '⁺', '-': '⁻', '\u2212': '⁻' };
const RAISED_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * A number that is set above the line, in characters that are above the line: otherwise 10⁶ would be
 * 106, and 5000 with the note 1 would be 50001. Other texts stay as they are.
 *
 * @param before the text to which it belongs, or its last part
 */
export function asSuperscript(text: string, before: string): string {
  if (!NUMBER.test(text) || !WORD_END.test(before)) return text;
  return text.replace(/[\d+\u2212-]/g, (sign) => RAISED[sign] ?? RAISED_DIGITS[Number(sign)] ?? '');
}
