/** The constants of BM25, with the defaults of Lucene. */
export const BM25 = { k1: 1.2, b: 0.75 };

/**
 * Scores are rounded to multiples of 1 / `SCORE_PRECISION` before they are compared: the last digits of a sum
 * depend on the order of its terms, and on where it is computed.
 */
export const SCORE_PRECISION = 2 ** 32;
