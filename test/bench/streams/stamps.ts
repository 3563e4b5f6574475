/*
 * A delta that says when it was sent. All processes of a machine have the same monotonic clock. It is
 * longer than the shortest delta of the gateway, and ends with no blank, so that nothing of it waits
 * for the next one.
 */

/** In characters. */
const DIGITS = 20;
const STAMP = new RegExp(`@(\\d{${DIGITS}})`, 'g');

export function stampedDelta(): string {
  const sent = String(process.hrtime.bigint()).padStart(DIGITS, '0');
  return ` The file says so @${sent}.`;
}

/** The delays of the deltas in a text, in milliseconds; with what may be the begin of another one. */
export function readStamps(text: string): { delays: number[]; rest: string } {
  const now = process.hrtime.bigint();
  const delays = [...text.matchAll(STAMP)].map(([, sent = '']) => Number(now - BigInt(sent)) / 1e6);
  const last = text.lastIndexOf('@');
  const isCut = last >= 0 && text.length - last <= DIGITS;
  return { delays, rest: isCut ? text.slice(last) : '' };
}
