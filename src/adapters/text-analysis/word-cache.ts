const SLOTS = 2 ** 16;
/** In bytes. Longer words are not kept. */
const LONGEST = 24;
/** A slot has the bytes of its word, from byte 24 the length of the word, and from byte 28 its number. */
const SLOT_BYTES = 32;

/**
 * Keeps a number for each of the last words of ASCII texts. Words are compared where they are in the
 * bytes of a text, because it takes long to make strings of all of them. Few words make up most of a
 * text; each slot of the cache keeps the last word that had it.
 *
 * @param numberOf computes the number of a word that is not kept: from 0 to 2³¹ - 1
 */
export function createWordCache(numberOf: (word: string) => number) {
  const slots = new Uint8Array(SLOTS * SLOT_BYTES);
  const numbers = new Int32Array(slots.buffer);

  /** The number of the word from `start` to `end`. */
  return function numberAt(bytes: Buffer, start: number, end: number): number {
    const length = end - start;
    if (length > LONGEST) return numberOf(bytes.toString('latin1', start, end));
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    }
    const slot = ((hash ^ (hash >>> 16)) & (SLOTS - 1)) * SLOT_BYTES;
    const numberPlace = (slot + 28) / 4;
    if (slots[slot + LONGEST] !== length || !isKept(slot, bytes, start, end)) {
      numbers[numberPlace] = numberOf(bytes.toString('latin1', start, end));
      slots.set(bytes.subarray(start, end), slot);
      slots[slot + LONGEST] = length;
    }
    return numbers[numberPlace] as number;
  };

  function isKept(slot: number, bytes: Buffer, start: number, end: number): boolean {
    let letter = slot;
    for (let at = start; at < end; at++) if (slots[letter++] !== bytes[at]) return false;
    return true;
  }
}
