/** The constants of BM25, as Lucene has them. */
export const BM25 = { k1: 1.2, b: 0.75 };
