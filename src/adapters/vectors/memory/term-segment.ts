import { MOST_TIMES, TIMES_BITS } from '../keywords/chunk-terms.ts';

/** What a segment holds at most: a place in it has up to 12 bits, beside those that tell how often a term occurs. Building one takes some milliseconds. */
export const SEGMENT_CHUNKS = 2048;

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
      const sorted = sortByTerm(terms.subarray(0, count), postings.subarray(0, count));
      const { distinct, starts } = runsOf(sorted.terms);
      return toSegment(distinct, starts, sorted.postings, Uint32Array.from(lengths));
    },
  };
}

/** Terms of chunks, and a posting for each. */
interface Entries {
  terms: Int32Array;
  postings: Uint16Array;
}

/** Terms have 30 bits, of which so many are sorted by at once. */
const [TERM_BITS, DIGIT_BITS] = [30, 10];

/** In ascending order of their terms, and of one term in the order of the postings: a radix sort, ten times as quick as comparing. */
function sortByTerm(terms: Int32Array, postings: Uint16Array): Entries {
  const { length } = terms;
  let from: Entries = { terms, postings };
  let to: Entries = { terms: new Int32Array(length), postings: new Uint16Array(length) };
  for (let shift = 0; shift < TERM_BITS; shift += DIGIT_BITS) {
    const places = placesOf(from.terms, shift);
    for (let at = 0; at < length; at++) {
      const term = from.terms[at] as number;
      const digit = (term >> shift) & (2 ** DIGIT_BITS - 1);
      const place = places[digit] as number;
      places[digit] = place + 1;
      to.terms[place] = term;
      to.postings[place] = from.postings[at] as number;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Where the terms with each digit begin when they are sorted by it. */
function placesOf(terms: Int32Array, shift: number): Uint32Array {
  const places = new Uint32Array(2 ** DIGIT_BITS + 1);
  for (let at = 0; at < terms.length; at++) {
    const next = (((terms[at] as number) >> shift) & (2 ** DIGIT_BITS - 1)) + 1;
    places[next] = (places[next] as number) + 1;
  }
  for (let digit = 1; digit < places.length; digit++) {
    places[digit] = (places[digit] as number) + (places[digit - 1] as number);
  }
  return places;
}

/** The distinct ones of sorted terms, where each begins, and where the last one ends. */
function runsOf(terms: Int32Array): { distinct: Int32Array; starts: Uint32Array } {
  const starts = new Uint32Array(terms.length + 1);
  let runs = 0;
  for (let at = 0; at < terms.length; at++) {
    if (at === 0 || terms[at] !== terms[at - 1]) starts[runs++] = at;
  }
  starts[runs] = terms.length;
  const distinct = new Int32Array(runs);
  for (let run = 0; run < runs; run++) distinct[run] = terms[starts[run] as number] as number;
  return { distinct, starts: starts.slice(0, runs + 1) };
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
