import { createWordCache } from './word-cache.ts';
import { plainNumber } from './words.ts';

const NUMBER = /\d+(?:[.,]\d+)+/y;
/** The letter or digit that a byte represents, in lower case; 0 for all other bytes. */
const WORD_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[a-z\d]/i.test(String.fromCharCode(byte)) ? byte | 0x20 : 0,
);

/** Finds the terms of the words in ASCII texts, in a fraction of the time of `wordsOf`. */
export function createAsciiTerms(termOf: (word: string) => number) {
  const termAt = createWordCache(termOf);
  let [buffer, found] = buffersFor(4096);

  /** @returns the terms in the order of the text; the next call overwrites them */
  return function asciiTermsOf(text: string): Int32Array {
    if (buffer.length < text.length) [buffer, found] = buffersFor(text.length);
    const bytes = buffer;
    const end = bytes.write(text, 'latin1');
    let count = 0;
    for (let at = 0; at < end; ) {
      const start = at;
      for (; at < end; at++) {
        const letter = WORD_BYTES[bytes[at] as number] as number;
        if (letter === 0) break;
        bytes[at] = letter;
      }
      if (at === start) {
        at++;
        continue;
      }
      const number = isSeparator(bytes[at]) ? numberFrom(text, start) : undefined;
      if (number !== undefined) at = start + number.length;
      found[count++] =
        number === undefined ? termAt(bytes, start, at) : termOf(plainNumber(number));
    }
    return found.subarray(0, count);
  };
}

/** For a text of at most twice that length, and its terms. */
function buffersFor(length: number): [Buffer, Int32Array] {
  return [Buffer.allocUnsafe(2 * length), new Int32Array(length)];
}

/** A number with separators that begins there. */
function numberFrom(text: string, start: number): string | undefined {
  NUMBER.lastIndex = start;
  return NUMBER.exec(text)?.[0];
}

function isSeparator(byte: number | undefined): boolean {
  return byte === 0x2e || byte === 0x2c;
}
