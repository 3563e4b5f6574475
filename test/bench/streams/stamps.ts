/*
 * A delta that says when it was sent. All processes of a machine have the same monotonic clock. It is
 * longer than the shortest delta of the gateway, and ends with no blank, so that nothing of it waits
 * for the next one.
 */

/** In characters. */
const DIGITS = 20;
const STAMP = new RegExp(`@(\\d{${DIGITS}})`, 'g');
const TOTAL = /#(\d+)#/;

export function stampedDelta(): string {
  const sent = String(process.hrtime.bigint()).padStart(DIGITS, '0');
  return ` The file says so @${sent}.`;
}

/** The last delta: how many were sent before it. */
export function lastDelta(total: number): string {
  return ` These were #${total}# in all.`;
}

/** The delays of the deltas in a text, in milliseconds; with what may be the begin of another one. */
export function readStamps(text: string): { delays: number[]; rest: string } {
  const now = process.hrtime.bigint();
  const delays = [...text.matchAll(STAMP)].map(([, sent = '']) => Number(now - BigInt(sent)) / 1e6);
  const last = text.lastIndexOf('@');
  const isCut = last >= 0 && text.length - last <= DIGITS;
  return { delays, rest: isCut ? text.slice(last) : '' };
}

/** The total that the end of an answer tells; not a number if it does not. */
export function readTotal(text: string): number {
  return Number(TOTAL.exec(text)?.[1]);
}
