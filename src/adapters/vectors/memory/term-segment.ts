import { MOST_TIMES, TIMES_BITS } from '../keywords/chunk-terms.ts';
import { lowerBound } from './lower-bound.ts';

/**
 * The maximum number of chunks in a segment. A posting has 12 bits for the place. Building a
 * segment takes some milliseconds.
 */
export const SEGMENT_CHUNKS = 2048;

/** A chunk's place in its segment, and how often the term occurs in it. */
export type Posting = number;

export const placeOf = (posting: Posting) => posting >> TIMES_BITS;
export const timesOf = (posting: Posting) => posting & MOST_TIMES;

/** The inverted index of some chunks: for each term, the chunks that have it. */
export interface TermSegment {
  /** The number of words in each chunk. */
  lengths: Uint32Array;
  bytes: number;
  /** The chunks that have a term, in the order of their places. */
  postingsOf(term: number): Uint16Array;
}

const NO_POSTINGS = new Uint16Array();

/** Collects the terms of chunks, and builds a segment from them. */
export function createSegmentBuilder() {
  const lengths: number[] = [];
  /** The terms of all chunks in order, and a posting for each term. */
  let terms = new Int32Array(64 * 1024);
  let postings = new Uint16Array(64 * 1024);
  let count = 0;

  return {
    get size() {
      return lengths.length;
    },

    /** Adds a chunk. Its terms are added next. */
    addChunk(length: number): void {
      lengths.push(length);
    },

    /** Adds a term to the chunk that was added last. */
    addTerm(term: number, times: number): void {
      if (count === terms.length) {
        const [largerTerms, largerPostings] = [
          new Int32Array(2 * count),
          new Uint16Array(2 * count),
        ];
        largerTerms.set(terms);
        largerPostings.set(postings);
        [terms, postings] = [largerTerms, largerPostings];
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

/** The terms of chunks, and a posting for each term. */
interface Entries {
  terms: Int32Array;
  postings: Uint16Array;
}

/** Terms have 30 bits. Each pass of the radix sort uses 10 of them. */
const [TERM_BITS, DIGIT_BITS] = [30, 10];

/**
 * Sorts by term, and keeps the order of the postings of each term. A radix sort is ten times as
 * fast as a comparison sort.
 */
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

/** The start of each digit's terms in the sorted order. */
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

/** The distinct terms of a sorted list, where each of them begins, and where the last one ends. */
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
      const at = lowerBound(distinct, term);
      return distinct[at] === term ? lists.subarray(starts[at], starts[at + 1]) : NO_POSTINGS;
    },
  };
}
