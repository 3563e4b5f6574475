import { MOST_TIMES, TIMES_BITS } from '../keywords/chunk-terms.ts';

/** What a segment holds at most: a place in it has 12 bits, beside those that tell how often a term occurs. */
export const SEGMENT_CHUNKS = 4096;

/** A chunk's place in its segment, and how often it has a term. */
export type Posting = number;

export const placeOf = (posting: Posting) => posting >> TIMES_BITS;
export const timesOf = (posting: Posting) => posting & MOST_TIMES;

/** The terms of some chunks, each with the list of the chunks that have it. */
export interface TermSegment {
  /** How many words each chunk has. */
  lengths: Uint32Array;
  bytes: number;
  /** The chunks that have a term, in their order. */
  postingsOf(term: number): Uint16Array;
}

const NO_POSTINGS = new Uint16Array();

/** Takes chunks until it is full, and then turns their terms into lists. */
export function createSegmentBuilder() {
  const lengths: number[] = [];
  /** Of all chunks one after the other: their terms, and a posting for each. */
  let terms = new Int32Array(64 * 1024);
  let postings = new Uint16Array(64 * 1024);
  let count = 0;

  return {
    get size() {
      return lengths.length;
    },

    /** Adds a chunk, whose terms follow. */
    addChunk(length: number): void {
      lengths.push(length);
    },

    /** Adds a term of the chunk that was added last. */
    addTerm(term: number, times: number): void {
      if (count === terms.length) {
        const [moreTerms, morePostings] = [new Int32Array(2 * count), new Uint16Array(2 * count)];
        moreTerms.set(terms);
        morePostings.set(postings);
        [terms, postings] = [moreTerms, morePostings];
      }
      terms[count] = term;
      postings[count] = ((lengths.length - 1) << TIMES_BITS) | times;
      count++;
    },

    build(): TermSegment {
      const { distinct, numbers } = numberTerms(terms.subarray(0, count));
      const starts = startsOf(numbers, distinct.length);
      const lists = new Uint16Array(count);
      const ends = starts.slice();
      for (let at = 0; at < count; at++) {
        const number = numbers[at] as number;
        const end = ends[number] as number;
        lists[end] = postings[at] as number;
        ends[number] = end + 1;
      }
      return toSegment(distinct, starts, lists, Uint32Array.from(lengths));
    },
  };
}

/** The distinct terms, in ascending order, and which of them each term is. */
function numberTerms(terms: Int32Array): { distinct: Int32Array; numbers: Uint32Array } {
  // A table of open addresses: with a Map it takes five times as long.
  const size = 2 ** Math.ceil(Math.log2(terms.length + 1) + 1);
  const slots = new Int32Array(size).fill(-1);
  const slotOf = (term: number) => {
    let slot = Math.imul(term, 0x9e3779b1) & (size - 1);
    while (slots[slot] !== -1 && slots[slot] !== term) slot = (slot + 1) & (size - 1);
    return slot;
  };
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as number;
    slots[slotOf(term)] = term;
  }
  const distinct = slots.filter((term) => term !== -1).sort();
  const numberAt = new Uint32Array(size);
  for (let at = 0; at < distinct.length; at++) numberAt[slotOf(distinct[at] as number)] = at;
  const numbers = new Uint32Array(terms.length);
  for (let at = 0; at < terms.length; at++) {
    numbers[at] = numberAt[slotOf(terms[at] as number)] as number;
  }
  return { distinct, numbers };
}

/** Where the list of each number begins when they lie one after the other, and where the last one ends. */
function startsOf(numbers: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < numbers.length; at++) {
    const next = (numbers[at] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let at = 1; at < starts.length; at++) {
    starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  }
  return starts;
}

function toSegment(
  distinct: Int32Array,
  starts: Uint32Array,
  lists: Uint16Array,
  lengths: Uint32Array,
): TermSegment {
  return {
    lengths,
    bytes: distinct.byteLength + starts.byteLength + lists.byteLength + lengths.byteLength,
    postingsOf(term) {
      let [low, high] = [0, distinct.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((distinct[middle] as number) < term) low = middle + 1;
        else high = middle;
      }
      return distinct[low] === term ? lists.subarray(starts[low], starts[low + 1]) : NO_POSTINGS;
    },
  };
}
